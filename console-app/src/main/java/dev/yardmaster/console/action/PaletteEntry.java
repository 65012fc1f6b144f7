package dev.yardmaster.console.action;

/**
 * Something the palette can find.
 *
 * @param kind what it stands for
 * @param title what is searched first and shown large, for example {@code 4711 qwen-finetune}
 * @param detail what is searched second and shown small, for example {@code user17 · nlp}
 * @param keys its shortcut as shown to the user, or empty
 * @param open what choosing it does; called on the JavaFX thread
 */
public record PaletteEntry(
    PaletteKind kind, String title, String detail, String keys, Runnable open) {}
