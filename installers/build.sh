# shellcheck shell=sh
# Sourced by the launcher in a checkout: builds with Maven and assembles the distribution under target/dist.
# $home is the checkout, $dist the distribution (bin/runtime.sh).

say() { printf 'yardmaster: %s\n' "$1" >&2; }

# stale: is there no distribution, or one older than what it is made of? Tests are not in it.
stale() {
  [ -e "$dist/.built" ] || return 0
  [ -n "$(cd "$home" && find pom.xml ./*/pom.xml ./*/src/main bin icons sample installers/build.sh yardmaster LICENSE \
    -newer "$dist/.built" -print 2> /dev/null | head -n 1)" ]
}

# build_if_stale: builds, unless the distribution is up to date or this user may not write to the checkout
build_if_stale() {
  stale || return 0
  if [ ! -w "$home" ] || { [ -e "$home/target" ] && [ ! -w "$home/target" ]; }; then
    [ -e "$dist/.built" ] || fail "yardmaster: not built yet, and $(id -un) may not write to $home; its owner has to run ./yardmaster build once"
    return 0
  fi
  (
    umask 022
    mkdir -p "$home/target"
    exec 9> "$home/target/.lock"
    lock
    # Somebody else may have built while we waited.
    ! stale || build
  ) || exit 1
}

# untrained: are the caches for quick starts missing, and may this user make them? YARDMASTER_TRAIN=no says never.
untrained() {
  [ ! -e "$dist/aot/.trained" ] && [ -w "$dist/aot" ] && [ "${YARDMASTER_TRAIN:-yes}" != no ]
}

# train: makes AOT caches for the commands, the console and the server, from one run of each on a sample cluster of its
# own. Without them everything works, only slower, so a failure is left in the log.
train() (
  umask 022
  # One training is enough, however many are started meanwhile.
  exec 9> "$home/target/.training"
  alone || exit 0
  scratch=$(mktemp -d)
  cluster=
  trap '[ -z "$cluster" ] || kill "$cluster" 2> /dev/null; rm -rf "$scratch" "$dist/aot/"*.new' EXIT
  trap 'exit 130' INT TERM
  exec > "$home/target/aot.log" 2>&1 < /dev/null
  mkdir -p "$dist/aot"
  unset DISPLAY WAYLAND_DISPLAY
  cp -R "$dist/sample" "$scratch/etc"
  rehearsal_server "$scratch" state "$scratch/etc/workload" || exit 1
  (training=$dist/aot/cli.aot.new && launch cli yardmaster-server.jar dev.yardmaster.server.Main rehearse \
    squeue 'squeue -l' 'squeue --start' 'squeue -h -o %A' sinfo 'sinfo -N -l' 'sinfo -R' 'scontrol show job' 'scontrol show node' \
    'scontrol show partition' 'scontrol show res' 'scontrol ping' 'sprio -l' 'sshare -l -a' 'sacctmgr show qos' \
    'sbatch --parsable -J rehearsal -n1 -t1 --begin=now+1hour --wrap=true' 'sbatch --test-only -N1 -c1 --mem=1G --wrap=true' \
    'sbatch -J rehearsal --hold -a 1-4%2 -G1 -t10 --mem-per-cpu=100 -d singleton --wrap=true' 'squeue -r' 'squeue -t all -o %all' \
    'squeue -O jobid,name,state' 'sinfo -o %all' 'scontrol show config' 'scontrol show hostnames n[1-3]' 'scontrol release jobname=rehearsal' \
    'scontrol hold jobname=rehearsal' 'scancel --name=rehearsal') || :
  (training=$dist/aot/console.aot.new && launch console yardmaster-console.jar dev.yardmaster.console.Main \
    tour --out "$scratch/pictures" --connect "127.0.0.1:$port") || :
  end_rehearsal
  train_server "$scratch" || :
  for kind in cli console server; do
    [ ! -e "$dist/aot/$kind.aot.new" ] || mv "$dist/aot/$kind.aot.new" "$dist/aot/$kind.aot"
  done
  : > "$dist/aot/.trained"
)

# train_server DIR: what a server does most when it starts is to read many jobs, so it learns that from a state that has many
train_server() {
  scene=$1
  cp "$scene/etc/workload" "$scene/many"
  awk 'BEGIN { for (i = 0; i < 9000; i++) print "-10s bob:vision 1h -J job" i " -p train -n 1 -H -t 1:00:00" }' >> "$scene/many"
  rehearsal_server "$scene" many.state "$scene/many" || return 1
  end_rehearsal
  training=$dist/aot/server.aot.new
  rehearsal_server "$scene" many.state "$scene/many" || return 1
  training=
  set --
  while [ $# -lt 200 ]; do set -- "$@" 'sbatch -J rehearsal -n1 -t1 --wrap=true'; done
  (launch cli yardmaster-server.jar dev.yardmaster.server.Main rehearse "$@" squeue sinfo) > "$scene/rehearsed"
  for command in squeue sinfo 'scontrol show job 1' 'scontrol show node' 'sprio -l' 'sacct -X' 'scancel 1'; do
    # shellcheck disable=SC2086
    "$dist/bin/"$command > "$scene/rehearsed" || :
  done
  end_rehearsal
}

# rehearsal_server DIR STATE WORKLOAD: starts a server on the sample cluster; sets cluster to its process, port, and SLURM_CONF
rehearsal_server() {
  : > "$1/out"
  (launch server yardmaster-server.jar dev.yardmaster.server.Main server --config "$1/etc" --state "$1/$2" \
    --simulate-nodes --accounting "$1/etc/accounting" --workload "$3" --port 0 --private) > "$1/out" &
  cluster=$!
  while ! grep -q '127\.0\.0\.1:[0-9]' "$1/out"; do
    kill -0 "$cluster" || return 1
    sleep 0.2
  done
  # Any port but the usual one, which the user may want at this moment.
  port=$(sed -n 's/.*127\.0\.0\.1:\([0-9]*\).*/\1/p' "$1/out" | head -n 1)
  sed "s/^SlurmctldPort=.*/SlurmctldPort=$port/" "$dist/sample/slurm.conf" > "$1/$2/slurm.conf"
  export SLURM_CONF="$1/$2/slurm.conf"
}

# end_rehearsal: stops that server and waits until it has ended
end_rehearsal() {
  kill "$cluster" || :
  wait "$cluster" || :
  cluster=
}

# lock: waits for the file of descriptor 9; the lock ends with the process that holds it
lock() {
  flock 9 2> /dev/null || perl -e 'open my $f, ">&=", 9 or exit 1; flock $f, 2 or exit 1' ||
    fail 'yardmaster: needs flock (util-linux) or perl to keep two builds apart'
}

# alone: does nobody else hold the file of descriptor 9? From now on this process does.
alone() {
  flock -n 9 2> /dev/null || perl -e 'open my $f, ">&=", 9 or exit 1; flock $f, 6 or exit 1' 2> /dev/null
}

# find_maven: sets maven
find_maven() {
  maven=$(command -v mvn) && return 0
  for maven in "${MAVEN_HOME:-}/bin/mvn" "${M2_HOME:-}/bin/mvn" /opt/*maven*/bin/mvn /usr/local/*maven*/bin/mvn \
    /usr/share/maven/bin/mvn "${SDKMAN_DIR:-$HOME/.sdkman}"/candidates/maven/current/bin/mvn; do
    [ ! -x "$maven" ] || return 0
  done
  fail 'yardmaster: needs Apache Maven 3.8 or newer to build, found none; install: apt, dnf, pacman or brew install maven'
}

# find_tools: sets java_home to a JDK, and maven
find_tools() {
  find_java javac || fail "yardmaster: needs a JDK 25 or newer, found none; install: $(how_to_get_java)"
  find_maven
}

build() {
  find_tools
  log=$home/target/build.log
  why='building for the first time, two to three minutes'
  [ ! -e "$dist/.built" ] || why='the sources are newer than the build, building'
  say "$why (log: $log)"
  # What changes while we build is newer than this.
  : > "$home/target/.building"
  rm -rf "$home"/*/target/lib
  if ! (cd "$home" && JAVA_HOME=$java_home "$maven" -B -ntp -Dmaven.test.skip=true package) > "$log" 2>&1; then
    tail -n 30 "$log" >&2
    fail "yardmaster: the build failed, see $log"
  fi
  assemble
}

# assemble: brings target/dist in line with the jars that Maven made. Files are replaced and never written into, so
# that a running process keeps what it has open; libraries that did not change are left alone.
assemble() {
  mkdir -p "$dist/lib/replication" "$dist/bin" "$dist/aot"
  version=$(sed -n 's:.*<version>\(.*\)</version>.*:\1:p' "$home/pom.xml" | head -n 1)
  for jar in "$home"/scheduler-server/target/lib/*.jar "$home"/console-app/target/lib/*.jar; do
    replace "$jar" "$dist/lib/${jar##*/}" 644
  done
  for jar in "$home"/scheduler-server/target/lib/replication/*.jar; do
    replace "$jar" "$dist/lib/replication/${jar##*/}" 644
  done
  for jar in "$dist"/lib/replication/*.jar; do
    [ -e "$home/scheduler-server/target/lib/replication/${jar##*/}" ] || rm -f "$jar"
  done
  replace "$home/scheduler-server/target/scheduler-server-$version.jar" "$dist/lib/yardmaster-server.jar" 644
  replace "$home/console-app/target/console-app-$version.jar" "$dist/lib/yardmaster-console.jar" 644
  for jar in "$dist"/lib/*.jar; do
    name=${jar##*/}
    case $name in yardmaster-*) continue ;; esac
    [ -e "$home/scheduler-server/target/lib/$name" ] || [ -e "$home/console-app/target/lib/$name" ] || rm -f "$jar"
  done
  for file in "$home"/bin/*; do replace "$file" "$dist/bin/${file##*/}" 755; done
  for folder in icons sample; do
    rm -rf "${dist:?}/$folder"
    [ ! -d "$home/$folder" ] || cp -R "$home/$folder" "$dist/$folder"
  done
  replace "$home/yardmaster" "$dist/yardmaster" 755
  replace "$home/LICENSE" "$dist/LICENSE" 644
  printf '%s\n' "$java_home" > "$dist/java-home"
  rm -f "$dist"/aot/* "$dist/aot/.trained"
  chmod -R a+rX "$home/target/dist"
  chmod a+rx "$home/target"
  mv "$home/target/.building" "$dist/.built"
}

# replace FROM TO MODE: makes TO a copy of FROM unless it is one
replace() {
  if ! cmp -s "$1" "$2"; then
    cp "$1" "$2.new"
    mv -f "$2.new" "$2"
  fi
  chmod "$3" "$2"
}

# bench [ARGUMENT…]: compiles the tests, among which the benchmarks are, and runs them
bench() {
  find_tools
  mkdir -p "$home/target"
  (cd "$home" && JAVA_HOME=$java_home "$maven" -B -ntp -q -pl shared-model,scheduler-server test-compile \
    dependency:build-classpath -Dmdep.includeScope=test -Dmdep.outputFile="$home/target/bench.classpath") >&2 ||
    fail 'yardmaster: the benchmarks do not compile'
  read -r jars < "$home/target/bench.classpath" || [ -n "$jars" ]
  exec "$java_home/bin/java" --sun-misc-unsafe-memory-access=allow "-Dyardmaster.home=$dist" -cp "$home/scheduler-server/target/test-classes:$home/scheduler-server/target/classes:$jars" \
    dev.yardmaster.bench.BenchMain "$@"
}

# format [FILE…]: formats these or all Java sources in place
format() {
  find_tools
  classpath=$home/target/format.classpath
  if [ -z "$(find "$classpath" -newer "$home/pom.xml" 2> /dev/null)" ]; then
    mkdir -p "$home/target"
    (cd "$home" && JAVA_HOME=$java_home "$maven" -B -ntp -q -pl shared-model dependency:build-classpath \
      -DincludeArtifactIds=google-java-format,guava,failureaccess -Dmdep.outputFile="$classpath") >&2 ||
      fail 'yardmaster: Maven could not get google-java-format'
  fi
  read -r jars < "$classpath" || [ -n "$jars" ]
  if [ $# -gt 0 ]; then printf '%s\n' "$@"; else find "$home"/*/src "$home"/icons -name '*.java'; fi > "$home/target/format.files"
  set --
  for package in api code file parser tree util; do
    set -- "$@" "--add-exports=jdk.compiler/com.sun.tools.javac.$package=ALL-UNNAMED"
  done
  "$java_home/bin/java" "$@" -cp "$jars" com.google.googlejavaformat.java.Main -i "@$home/target/format.files"
}
