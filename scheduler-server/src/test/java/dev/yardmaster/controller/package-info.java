@NullMarked
package dev.yardmaster.controller;

import org.jspecify.annotations.NullMarked;
