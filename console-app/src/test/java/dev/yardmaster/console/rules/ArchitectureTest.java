package dev.yardmaster.console.rules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import javafx.application.Platform;

/** What keeps the console testable without a window, and its window alive. */
@AnalyzeClasses(
    packages = "dev.yardmaster.console",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule theConsoleKnowsTheServerThroughTheClientOnly =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.yardmaster.engine..",
              "dev.yardmaster.sim..",
              "dev.yardmaster.controller..",
              "dev.yardmaster.journal..",
              "dev.yardmaster.node..",
              "dev.yardmaster.accounting..",
              "dev.yardmaster.server..",
              "dev.yardmaster.cli..")
          .because("the console speaks to any server, not only to the one it brings");

  @ArchTest
  static final ArchRule wireTypesStayWithTheWire =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.yardmaster.api..", "io.grpc..", "com.google.protobuf..")
          .because("a change of the protocol must not reach further than its mapping");

  @ArchTest
  static final ArchRule viewModelsKnowNoControl =
      noClasses()
          .that()
          .haveSimpleNameEndingWith("ViewModel")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("javafx.scene..", "javafx.stage..")
          .because("a view-model is tested without a window");

  @ArchTest
  static final ArchRule onlyFxSpeaksToTheThreadOfJavaFx =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.yardmaster.console.fx..")
          .should()
          .callMethod(Platform.class, "runLater", Runnable.class)
          .because("one gate makes it visible what runs on that thread");
}
