package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.yardmaster.cli.GetOpt.Given;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class GetOptTest {
  private static final List<String> TABLE =
      List.of(
          "n ntasks:", "N nodes:", "H hold", "exclusive::", "k no-kill::", "nodelist:", "wrap:");

  private static GetOpt.Parsed parse(String... arguments) throws CommandFailure {
    return new GetOpt("sbatch", 255, false, TABLE).parse(List.of(arguments));
  }

  private static List<String> problem(String... arguments) {
    return catchThrowableOfType(CommandFailure.class, () -> parse(arguments)).lines();
  }

  @Test
  void valuesStandWithTheOptionOrAfterIt() throws CommandFailure {
    assertThat(parse("-n5", "-n", "6", "--ntasks=7", "--ntasks", "8").options())
        .containsExactly(
            new Given("ntasks", "5"),
            new Given("ntasks", "6"),
            new Given("ntasks", "7"),
            new Given("ntasks", "8"));
  }

  @Test
  void aValueMayLookLikeAnOption() throws CommandFailure {
    assertThat(parse("-n", "-5").options()).containsExactly(new Given("ntasks", "-5"));
    assertThat(parse("--wrap", "--hold").options()).containsExactly(new Given("wrap", "--hold"));
  }

  @Test
  void anOptionalValueMustBeAttached() throws CommandFailure {
    GetOpt.Parsed parsed = parse("--exclusive", "user", "--exclusive=user", "-k", "-koff");
    assertThat(parsed.options())
        .containsExactly(
            new Given("exclusive", ""),
            new Given("exclusive", "user"),
            new Given("no-kill", ""),
            new Given("no-kill", "off"));
    assertThat(parsed.operands()).containsExactly("user");
  }

  @Test
  void lettersMayStandTogether() throws CommandFailure {
    assertThat(parse("-Hn3").options())
        .containsExactly(new Given("hold", ""), new Given("ntasks", "3"));
  }

  @Test
  void namesMayBeCutShortWhereThatIsClear() throws CommandFailure {
    assertThat(parse("--nt=3").options()).containsExactly(new Given("ntasks", "3"));
    assertThat(problem("--no=3").getFirst())
        .isEqualTo(
            "sbatch: option '--no=3' is ambiguous; possibilities: '--no-kill' '--nodelist'"
                + " '--nodes'");
  }

  @Test
  void optionsAndOperandsMayMixUnlessTheCommandStopsAtTheFirst() throws CommandFailure {
    assertThat(parse("a", "-H", "b").operands()).containsExactly("a", "b");
    GetOpt.Parsed stopped =
        new GetOpt("sbatch", 255, true, TABLE).parse(List.of("-H", "job.sh", "-n", "2"));
    assertThat(stopped.operands()).containsExactly("job.sh", "-n", "2");
    assertThat(parse("--", "-H").operands()).containsExactly("-H");
  }

  @Test
  void theTextsAreThoseOfTheSystem() {
    assertThat(problem("--nosuchopt"))
        .startsWith(
            "sbatch: unrecognized option '--nosuchopt'",
            "Try \"sbatch --help\" for more information");
    assertThat(problem("--wrap").getFirst())
        .isEqualTo("sbatch: option '--wrap' requires an argument");
    assertThat(problem("--hold=x").getFirst())
        .isEqualTo("sbatch: option '--hold' doesn't allow an argument");
    assertThat(problem("-z").getFirst()).isEqualTo("sbatch: invalid option -- 'z'");
    assertThat(problem("-n").getFirst()).isEqualTo("sbatch: option requires an argument -- 'n'");
  }

  @Test
  void aPersonIsToldTheNearestOption() {
    List<String> lines = problem("--nods=3");
    assertThat(lines).hasSize(3);
    assertThat(Hint.is(lines.get(2))).isTrue();
    assertThat(Hint.text(lines.get(2))).isEqualTo("is '--nodes' meant?");
  }

  @Property
  void noCommandLineMakesItFailOtherwise(@ForAll @Size(max = 6) List<String> arguments) {
    try {
      new GetOpt("sbatch", 255, false, TABLE).parse(arguments);
    } catch (CommandFailure e) {
      assertThat(e.exitCode()).isEqualTo(255);
      assertThat(e.lines()).isNotEmpty();
    }
  }
}
