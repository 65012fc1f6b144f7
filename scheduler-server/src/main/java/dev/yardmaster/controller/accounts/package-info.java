/**
 * Changes of accounts, users, QOS and associations in the language of sacctmgr(1): what a command
 * would change, found without changing anything.
 */
@NullMarked
package dev.yardmaster.controller.accounts;

import org.jspecify.annotations.NullMarked;
