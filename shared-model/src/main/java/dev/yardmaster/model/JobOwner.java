package dev.yardmaster.model;

/** Whose job it is and what it is charged to. Empty texts mean "none". */
public record JobOwner(
    String user, int uid, String group, int gid, String account, String qos, String wckey) {}
