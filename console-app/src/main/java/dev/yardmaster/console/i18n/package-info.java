/**
 * Texts in the user's language, from resource bundles, and the wording of numbers, durations and
 * instants.
 */
@NullMarked
package dev.yardmaster.console.i18n;

import org.jspecify.annotations.NullMarked;
