package dev.yardmaster.console.rules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Which part of the frame may know which. */
@AnalyzeClasses(
    packages = "dev.yardmaster.console",
    importOptions = ImportOption.DoNotIncludeTests.class)
class FrameRulesTest {
  @ArchTest
  static final ArchRule onlyTasksAndTheConnectionStartThreads =
      noClasses()
          .that()
          .resideOutsideOfPackages("dev.yardmaster.console.fx", "dev.yardmaster.console.connect")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName(Thread.class.getName());

  @ArchTest
  static final ArchRule theKitDoesNotKnowTheFrame =
      noClasses()
          .that()
          .resideInAnyPackage(
              "dev.yardmaster.console.theme..",
              "dev.yardmaster.console.i18n..",
              "dev.yardmaster.console.fx..",
              "dev.yardmaster.console.kit..",
              "dev.yardmaster.console.action..",
              "dev.yardmaster.console.dock..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.yardmaster.console",
              "dev.yardmaster.console.shell..",
              "dev.yardmaster.console.sampler..",
              "dev.yardmaster.console.tour..");

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching("dev.yardmaster.console.(*)..").should().beFreeOfCycles();
}
