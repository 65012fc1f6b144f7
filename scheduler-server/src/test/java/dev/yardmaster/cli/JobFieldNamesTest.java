package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobFieldNamesTest {
  @ParameterizedTest
  @CsvSource({
    "comm,comment",
    "f,features",
    "a,account",
    "adminc,admincomment",
    "n,n",
    "ni,nice",
    "reqprocs,numtasks",
    "reqnodes,numnodes",
    "reqnode,reqnode",
    "p,p",
    "pr,priority",
    "pre,prefer",
    "time,time",
    "timel,timelimit",
    "st,starttime",
    "stdout,stdout",
    "stdin,stdin",
    "en,endtime",
    "name,name",
    "job,job",
    "jobn,jobname",
    "wait-,wait-for-switch",
    "t,t",
    "ta,taskspernode",
    "nosuch,nosuch",
    "resv,resv",
    "res,reservationname",
    "d,dependency"
  })
  void aNameMayBeCutShortAsFarAsSlurmReadsIt(String given, String whole) {
    assertThat(JobFieldNames.whole(Map.of(given, "x"))).isEqualTo(Map.of(whole, "x"));
  }
}
