package dev.yardmaster.rules;

import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What keeps the engine a pure function, and the arrows between packages pointing one way. */
@AnalyzeClasses(packages = "dev.yardmaster", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String[] PURE = {"dev.yardmaster.engine..", "dev.yardmaster.sim.."};

  /** Classes whose mere use brings time, luck, threads or the world outside into a decision. */
  private static final Set<String> IMPURE =
      Set.of(
          "java.lang.Thread",
          "java.lang.ProcessBuilder",
          "java.lang.Runtime",
          "java.time.Clock",
          "java.util.Random",
          "java.util.SplittableRandom",
          "java.util.UUID",
          "java.util.Timer");

  /** Maps and sets whose order is that of hashes. */
  private static final Set<String> UNORDERED =
      Set.of(
          "java.util.HashMap",
          "java.util.HashSet",
          "java.util.Hashtable",
          "java.util.IdentityHashMap",
          "java.util.WeakHashMap",
          "org.pcollections.HashPMap",
          "org.pcollections.HashTreePMap",
          "org.pcollections.HashTreePSet",
          "org.pcollections.MapPSet");

  /** Methods that ask the clock, or make collections in the order of hashes. */
  private static final Map<String, Set<String>> IMPURE_METHODS =
      Map.of(
          "java.lang.System", Set.of("currentTimeMillis", "nanoTime", "getenv", "getProperty"),
          "java.lang.Math", Set.of("random"),
          "java.time.Instant", Set.of("now"),
          "java.time.LocalDate", Set.of("now"),
          "java.time.LocalDateTime", Set.of("now"),
          "java.time.ZonedDateTime", Set.of("now"),
          "java.time.ZoneId", Set.of("systemDefault"),
          "java.util.Set", Set.of("of", "copyOf"),
          "java.util.Map", Set.of("of", "copyOf", "ofEntries"),
          "java.util.stream.Collectors",
              Set.of("toSet", "toMap", "groupingBy", "toUnmodifiableSet", "toUnmodifiableMap"));

  @ArchTest
  static final ArchRule theEngineTouchesNothingOutside =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "java.io..",
              "java.net..",
              "java.nio..",
              "java.sql..",
              "java.util.concurrent..",
              "java.util.logging..",
              "java.util.random..",
              "org.slf4j..",
              "io.grpc..")
          .because("the same state, policy and time must give the same decisions, always");

  @ArchTest
  static final ArchRule theEngineHasNoClockThreadOrLuckOfItsOwn =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .dependOnClassesThat(are(named(IMPURE, "time, luck or threads")))
          .because("clock, ids and seeds are arguments");

  @ArchTest
  static final ArchRule theEngineKnowsNoOrderOfHashes =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .dependOnClassesThat(are(named(UNORDERED, "collections in the order of hashes")))
          .because("a replay must decide in the same order");

  @ArchTest
  static final ArchRule theEngineAsksNoClockAndMakesNoUnorderedCollection =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .accessTargetWhere(callsImpureMethod())
          .because("the same state, policy and time must give the same decisions, always");

  @ArchTest
  static final ArchRule theEngineKnowsNobodyWhoUsesIt =
      points("dev.yardmaster.engine..")
          .awayFrom(
              "dev.yardmaster.sim..",
              "dev.yardmaster.controller..",
              "dev.yardmaster.journal..",
              "dev.yardmaster.node..",
              "dev.yardmaster.accounting..",
              "dev.yardmaster.server..",
              "dev.yardmaster.cli..",
              "dev.yardmaster.security..");

  @ArchTest
  static final ArchRule theSimulationKnowsTheEngineOnly =
      points("dev.yardmaster.sim..")
          .awayFrom(
              "dev.yardmaster.controller..",
              "dev.yardmaster.journal..",
              "dev.yardmaster.node..",
              "dev.yardmaster.accounting..",
              "dev.yardmaster.server..",
              "dev.yardmaster.cli..");

  @ArchTest
  static final ArchRule theControllerKnowsNoServerAndNoCommandLine =
      points("dev.yardmaster.controller..")
          .awayFrom(
              "dev.yardmaster.node..",
              "dev.yardmaster.accounting..",
              "dev.yardmaster.server..",
              "dev.yardmaster.cli..");

  @ArchTest
  static final ArchRule theHistoryFollowsTheControllerAndServesTheServer =
      points("dev.yardmaster.history..")
          .awayFrom("dev.yardmaster.node..", "dev.yardmaster.server..", "dev.yardmaster.cli..");

  @ArchTest
  static final ArchRule theReplicationKnowsTheJournalOnly =
      points("dev.yardmaster.replication..")
          .awayFrom(
              "dev.yardmaster.controller..",
              "dev.yardmaster.node..",
              "dev.yardmaster.accounting..",
              "dev.yardmaster.history..",
              "dev.yardmaster.server..",
              "dev.yardmaster.cli..");

  @ArchTest
  static final ArchRule theControllerKnowsNobodyWhoTellsItsPast =
      points("dev.yardmaster.controller..").awayFrom("dev.yardmaster.history..");

  @ArchTest
  static final ArchRule theJournalKnowsNobodyWhoWritesToIt =
      points("dev.yardmaster.journal..")
          .awayFrom(
              "dev.yardmaster.controller..",
              "dev.yardmaster.history..",
              "dev.yardmaster.node..",
              "dev.yardmaster.accounting..",
              "dev.yardmaster.server..",
              "dev.yardmaster.cli..");

  @ArchTest
  static final ArchRule theCommandLineIsAClient =
      points("dev.yardmaster.cli..")
          .awayFrom(
              "dev.yardmaster.engine..",
              "dev.yardmaster.sim..",
              "dev.yardmaster.controller..",
              "dev.yardmaster.journal..",
              "dev.yardmaster.history..",
              "dev.yardmaster.accounting..");

  @ArchTest
  static final ArchRule wireTypesStayWithTheWire =
      noClasses()
          .that()
          .resideInAnyPackage(
              "dev.yardmaster.engine..",
              "dev.yardmaster.sim..",
              "dev.yardmaster.controller..",
              "dev.yardmaster.journal..",
              "dev.yardmaster.history..",
              "dev.yardmaster.accounting..",
              "dev.yardmaster.cli..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.yardmaster.api..", "io.grpc..", "com.google.protobuf..")
          .because("a change of the protocol must not reach further than its mapping");

  private record Arrow(String from) {
    ArchRule awayFrom(String... others) {
      return noClasses()
          .that()
          .resideInAPackage(from)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(others)
          .allowEmptyShould(true)
          .because("dependencies point one way");
    }
  }

  private static Arrow points(String from) {
    return new Arrow(from);
  }

  private static DescribedPredicate<JavaClass> named(Set<String> names, String what) {
    return DescribedPredicate.describe(what, type -> names.contains(type.getFullName()));
  }

  private static DescribedPredicate<JavaAccess<?>> callsImpureMethod() {
    return DescribedPredicate.describe(
        "is a method of the clock or makes an unordered collection",
        access ->
            IMPURE_METHODS
                    .getOrDefault(access.getTargetOwner().getFullName(), Set.of())
                    .contains(access.getTarget().getName())
                && !hasOneOrderOnly(access));
  }

  /** An empty collection and one of a single element, {@code Set.of(x)} or {@code Map.of(k, v)}. */
  private static boolean hasOneOrderOnly(JavaAccess<?> access) {
    if (!(access instanceof JavaMethodCall call) || !call.getTarget().getName().equals("of")) {
      return false;
    }
    List<JavaClass> parameters = call.getTarget().getRawParameterTypes();
    int single = call.getTargetOwner().isEquivalentTo(Map.class) ? 2 : 1;
    return parameters.size() <= single && parameters.stream().noneMatch(JavaClass::isArray);
  }
}
