package dev.yardmaster.model.text;

import static dev.yardmaster.model.NodeFlag.DRAIN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class NodeStateTextTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "idle|IDLE|true",
        "idle*|IDLE+NOT_RESPONDING|false",
        "idle~|IDLE+POWERED_DOWN|true",
        "idle#|IDLE+POWERING_UP|true",
        "idle!|IDLE+POWER_DOWN|false",
        "idle%|IDLE+POWERING_DOWN|false",
        "idle$|IDLE+MAINTENANCE|false",
        "idle@|IDLE+REBOOT_REQUESTED|false",
        "idle^|IDLE+REBOOT_ISSUED|false",
        "idle-|IDLE+PLANNED|true",
        "mixed-|MIXED+PLANNED|true",
        "mix|MIXED|true",
        "allocated-|ALLOCATED+PLANNED|false",
        "alloc|ALLOCATED|false",
        "alloc+|ALLOCATED+COMPLETING|false",
        "comp|IDLE+COMPLETING|false",
        "drain|IDLE+DRAIN|false",
        "drained*|IDLE+DRAIN+NOT_RESPONDING|false",
        "drain$|IDLE+DRAIN+MAINTENANCE|false",
        "drng|MIXED+DRAIN|false",
        "draining@|MIXED+DRAIN+REBOOT_REQUESTED|false",
        "down*|DOWN+NOT_RESPONDING|false",
        "down$|DOWN+MAINTENANCE|false",
        "resv|IDLE+RESERVED|true",
        "maint|IDLE+MAINTENANCE|false",
        "plnd|IDLE+PLANNED|true",
        "block|IDLE+BLOCKED|false",
        "fail|IDLE+FAIL|false",
        "failg*|MIXED+FAIL+NOT_RESPONDING|false",
        "unk*|UNKNOWN+NOT_RESPONDING|false",
        "futr|FUTURE|false",
        "boot^|UNKNOWN+REBOOT_REQUESTED+REBOOT_ISSUED|false",
        "inval|UNKNOWN+INVALID_REG|false",
        "IDLE+DYNAMIC_NORM+MAINTENANCE+RESERVED+PLANNED|IDLE+DYNAMIC_NORM+MAINTENANCE+RESERVED+PLANNED|false",
        "MIXED+DRAIN|MIXED+DRAIN|false",
        "DOWN*+DRAIN|DOWN+DRAIN+NOT_RESPONDING|false",
        "IDLE+PLANNED|IDLE+PLANNED|true",
        "DOWN+REBOOT_ISSUED|DOWN+REBOOT_ISSUED|false",
        "IDLE+CLOUD+POWERED_DOWN|IDLE+CLOUD+POWERED_DOWN|true",
        "RESERVED+IDLE|IDLE+RESERVED|true",
      })
  void readsSuffixesAndFlags(String text, String scontrol, boolean usable) {
    NodeStateText state = NodeStateText.parse(text);
    assertThat(state).hasToString(scontrol);
    assertThat(state.unknown()).isEmpty();
    assertThat(state.isUsable()).isEqualTo(usable);
    assertThat(NodeStateText.parse(scontrol)).isEqualTo(state);
  }

  @Test
  void jsonFlagsCountLikeAnyOther() {
    assertThat(NodeStateText.fromJson(List.of("idle"), List.of("DRAIN")))
        .isEqualTo(NodeStateText.of(NodeBaseState.IDLE, DRAIN))
        .returns("drain", NodeStateText::sinfo);
    assertThat(NodeStateText.fromJson(List.of("MIXED", "DRAIN"), List.of()))
        .returns("drng", NodeStateText::sinfo);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "WEIRD|UNKNOWN|WEIRD",
        "IDLE+SHINY|IDLE|SHINY",
        "idle=|UNKNOWN|idle=",
        "''|UNKNOWN|''",
        "*|UNKNOWN|*",
        "+++|UNKNOWN|''",
      })
  void whatIsNotKnownIsKeptAndNeverUsable(String text, NodeBaseState base, String unknown) {
    NodeStateText state = NodeStateText.parse(text);
    assertThat(state.base()).isEqualTo(base);
    assertThat(state.unknown()).isEqualTo(unknown.isEmpty() ? List.of() : List.of(unknown));
    assertThat(state.isUsable()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "IDLE, idle, idle",
    "IDLE+DRAIN, drain, drained",
    "IDLE+DRAIN+MAINTENANCE+RESERVED, drain$, drained$",
    "DOWN+MAINTENANCE+RESERVED, down$, down$",
    "IDLE+FAIL+MAINTENANCE+RESERVED, maint, maint",
    "IDLE+MAINTENANCE+RESERVED, maint, maint",
    "IDLE+MAINTENANCE+NOT_RESPONDING, maint*, maint*",
    "MIXED+MAINTENANCE, mix$, mixed$",
    "DOWN+REBOOT_ISSUED, boot^, reboot^",
    "IDLE+REBOOT_REQUESTED, boot, reboot",
    "IDLE+REBOOT_REQUESTED+NOT_RESPONDING, boot*, reboot*",
    "MIXED+REBOOT_REQUESTED, mix@, mixed@",
    "MIXED+DRAIN+REBOOT_REQUESTED, drng@, draining@",
    "ALLOCATED+DRAIN, drng, draining",
    "MIXED+FAIL, failg, failing",
    "IDLE+FAIL, fail, fail",
    "ALLOCATED, alloc, allocated",
    "ALLOCATED+COMPLETING, alloc+, allocated+",
    "IDLE+COMPLETING, comp, completing",
    "MIXED+COMPLETING, comp, completing",
    "IDLE+RESERVED, resv, reserved",
    "MIXED+RESERVED, mix, mixed",
    "IDLE+PLANNED, plnd, planned",
    "IDLE+RESERVED+PLANNED, resv, reserved",
    "MIXED+PLANNED, mix-, mixed-",
    "IDLE+BLOCKED, block, blocked",
    "IDLE+NOT_RESPONDING, idle*, idle*",
    "IDLE+NOT_RESPONDING+PLANNED, idle*, idle*",
    "IDLE+CLOUD+POWERED_DOWN, idle~, idle~",
    "IDLE+CLOUD+POWERING_UP, idle#, idle#",
    "IDLE+POWERING_DOWN, idle%, idle%",
    "IDLE+POWER_DOWN, idle!, idle!",
    "DOWN+DRAIN, drain, drained",
    "DOWN+NOT_RESPONDING, down*, down*",
    "FUTURE, futr, future",
    "UNKNOWN+NOT_RESPONDING, unk*, unknown*",
    "IDLE+INVALID_REG, inval, inval",
  })
  void printsTheOneWordOfSinfo(String scontrol, String compact, String complete) {
    NodeStateText state = NodeStateText.parse(scontrol);
    assertThat(state.sinfo()).isEqualTo(compact);
    assertThat(state.sinfoLong()).isEqualTo(complete);
  }

  @ParameterizedTest
  @EnumSource
  void everyFlagAndBaseStateIsReadByItsName(NodeFlag flag) {
    for (NodeBaseState base : NodeBaseState.values()) {
      NodeStateText state = NodeStateText.of(base, flag);
      assertThat(NodeStateText.parse(base + "+" + flag)).isEqualTo(state);
      assertThat(NodeStateText.fromJson(List.of(base.name()), List.of(flag.name())))
          .isEqualTo(state);
      assertThat(NodeStateText.parse(base.shortName()).base()).isEqualTo(base);
    }
  }

  @Property(tries = 500)
  void everyStateReadsBack(@ForAll NodeBaseState base, @ForAll Set<NodeFlag> flags) {
    var state = new NodeStateText(base, flags, List.of());
    assertThat(NodeStateText.parse(state.toString())).isEqualTo(state);
    boolean drained = flags.contains(DRAIN);
    assertThat(NodeStateText.parse(state.sinfo()).isUsable() && drained).isFalse();
  }
}
