package dev.yardmaster.rules;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Who may know whom within shared-model. */
@AnalyzeClasses(packages = "dev.yardmaster", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  /** The wire: generated classes and the libraries they are made for. */
  private static final String[] WIRE = {
    "dev.yardmaster.api..", "io.grpc..", "com.google.protobuf.."
  };

  @ArchTest
  static final ArchRule wireTypesStayWithTheWire =
      noClasses()
          .that()
          .resideOutsideOfPackages("dev.yardmaster.api..", "dev.yardmaster.client..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(WIRE)
          .because("a change of the protocol must not reach further than its mapping");

  @ArchTest
  static final ArchRule theModelKnowsNothingButItself =
      classes()
          .that()
          .resideInAPackage("dev.yardmaster.model..")
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                  "dev.yardmaster.model..", "java..", "org.jspecify..", "org.pcollections.."))
          .because("everything else is built on the model");

  @ArchTest
  static final ArchRule theModelReadsNothing =
      noClasses()
          .that()
          .resideInAnyPackage("dev.yardmaster.model..", "dev.yardmaster.explain..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.net..", "java.nio.file..", "java.util.logging..", "java.sql..")
          .because("a record is what was given to it, and never what a file or the net says now");

  @ArchTest
  static final ArchRule explanationsKnowTheModelOnly =
      noClasses()
          .that()
          .resideInAPackage("dev.yardmaster.explain..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.yardmaster.config..", "dev.yardmaster.client..")
          .because("an explanation is data that every part of the product may hold");

  @ArchTest
  static final ArchRule theConfigurationKnowsTheModelOnly =
      noClasses()
          .that()
          .resideInAPackage("dev.yardmaster.config..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.yardmaster.explain..", "dev.yardmaster.client..")
          .allowEmptyShould(true)
          .because("files are read before there is anything to explain or to connect to");
}
