# shellcheck shell=sh
# Sourced by every command in bin/ and by the launcher: where the distribution lies, which java runs it, and how.
# A command that works starts no other program on its way to the JVM, so that a call costs a shell, a JVM and no more.

# fail MESSAGE: one line, exit 1
fail() {
  printf '%s\n' "$1" >&2
  exit 1
}

# locate DIR: sets home and dist for the bin/ folder DIR, in a checkout (home/target/dist) or in a copy of the distribution
locate() {
  home=$(cd "$1/.." && pwd -P)
  if [ -f "$home/pom.xml" ]; then dist=$home/target/dist; else dist=$home; fi
}

# feature HOME: sets feature to the Java release (25) of the JDK or JRE in HOME, or to 0
feature() {
  feature=0
  [ -x "$1/bin/java" ] || return 0
  if [ -r "$1/release" ]; then
    while IFS='=' read -r key value || [ -n "$key" ]; do
      if [ "$key" = JAVA_VERSION ]; then
        value=${value#\"}
        feature=${value%%[!0-9]*}
        break
      fi
    done < "$1/release"
  else
    value=$("$1/bin/java" -version 2>&1) || value=
    value=${value#*version \"}
    feature=${value%%[!0-9]*}
  fi
  feature=${feature:-0}
}

# usable HOME [javac]: is it a Java 25 or newer, with a compiler if asked for?
usable() {
  [ -n "$1" ] && [ -x "$1/bin/java" ] && [ -x "$1/bin/${2:-java}" ] || return 1
  feature "$1"
  [ "$feature" -ge 25 ]
}

# find_java java|javac: sets java_home to the first usable one of JAVA_HOME, PATH and the usual places
find_java() {
  java_home=${JAVA_HOME:-}
  usable "$java_home" "$@" && return 0
  java_home=$(on_path)
  usable "$java_home" "$@" && return 0
  for java_home in \
    /usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /usr/local/*jdk* /usr/local/java/* /opt/* /opt/*/* \
    "${SDKMAN_DIR:-$HOME/.sdkman}"/candidates/java/* "$HOME"/.jdks/* "$HOME"/.local/share/mise/installs/java/* \
    "${HOMEBREW_PREFIX:-/home/linuxbrew/.linuxbrew}"/opt/openjdk*/libexec /home/linuxbrew/.linuxbrew/opt/openjdk*/libexec \
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
    /Library/Java/JavaVirtualMachines/*/Contents/Home "$HOME"/Library/Java/JavaVirtualMachines/*/Contents/Home; do
    usable "$java_home" "$@" && return 0
  done
  java_home=
  return 1
}

# on_path: prints the home of the java that PATH finds
on_path() {
  java=$(command -v java) || return 0
  while [ -h "$java" ]; do
    to=$(readlink "$java")
    case $to in /*) java=$to ;; *) java=${java%/*}/$to ;; esac
  done
  if [ -r "${java%/bin/java}/release" ]; then
    printf '%s\n' "${java%/bin/java}"
  else
    "$java" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.home = //p'
  fi
}

# how_to_get_java: prints what to install here, in a few words
how_to_get_java() {
  ids=
  # shellcheck source=/dev/null
  if [ -r /etc/os-release ]; then ids=$(. /etc/os-release && printf ' %s %s ' "${ID:-}" "${ID_LIKE:-}"); fi
  case $ids in
    *' debian '* | *' ubuntu '*)
      if apt-cache show openjdk-25-jdk > /dev/null 2>&1; then
        echo 'apt install openjdk-25-jdk'
      else
        echo 'Eclipse Temurin 25, package temurin-25-jdk (https://adoptium.net/installation/linux)'
      fi
      ;;
    *' fedora '* | *' rhel '* | *' centos '*) echo 'dnf install java-25-openjdk-devel' ;;
    *' suse '* | *' opensuse '*) echo 'zypper install java-25-openjdk-devel' ;;
    *' arch '*) echo 'pacman -S jdk-openjdk' ;;
    *' alpine '*) echo 'apk add openjdk25' ;;
    *)
      case $(uname -s) in
        Darwin) echo 'brew install openjdk@25' ;;
        *) echo 'a JDK 25 from https://adoptium.net or your distribution' ;;
      esac
      ;;
  esac
}

# pick_java: sets java_home for running: the runtime beside an application image; otherwise JAVA_HOME if it will do, else
# what the distribution was built with, else any
pick_java() {
  built_with=
  if [ -r "$dist/java-home" ]; then read -r built_with < "$dist/java-home" || :; fi
  case $built_with in
    ../*)
      built_with=$dist/$built_with
      java_home=$built_with
      return 0
      ;;
  esac
  java_home=${JAVA_HOME:-$built_with}
  if [ "$java_home" = "$built_with" ] && [ -x "$java_home/bin/java" ]; then return 0; fi
  usable "$java_home" && return 0
  java_home=$built_with
  [ -n "$java_home" ] && [ -x "$java_home/bin/java" ] && return 0
  find_java java || fail "${0##*/}: needs Java 25 or newer, found none; install: $(how_to_get_java)"
}

# launch KIND JAR CLASS ARGUMENT…: replaces this shell by the JVM. KIND: cli (short-lived), console or server.
# With $training set to a file, the JVM writes its AOT cache there when it ends.
launch() {
  kind=$1 jar=$2 class=$3 asked=${4:-}
  shift 3
  pick_java
  path=$dist/lib/$jar
  # What only several controllers need.
  [ "$kind" != server ] || path="$path:$dist/lib/replication/*"
  set -- "-Dyardmaster.home=$dist" -cp "$path" "$class" "$@"
  if [ -n "${training:-}" ]; then
    set -- "-XX:AOTCacheOutput=$training" "$@"
  elif [ "$java_home" = "$built_with" ] && [ -r "$dist/aot/$kind.aot" ]; then
    # The JVM itself does without a cache that does not fit it or the jars; its complaints would only disturb the output.
    set -- "-XX:AOTCache=$dist/aot/$kind.aot" -Xlog:aot=off -Xlog:cds=off "$@"
  fi
  [ "$kind:$asked" != server:node ] || kind=node
  case $kind in
    # The cheapest collector and the quick compiler; no code made for the few methods that the libraries call by reflection.
    cli) set -- -Djdk.reflect.useNativeAccessorOnly=true -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData "$@" ;;
    # It lies beside the jobs of its machine: as little memory as does, however much the machine has.
    node)
      export MALLOC_ARENA_MAX=1
      set -- -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx48m -Xss512k -XX:MaxDirectMemorySize=64m -XX:-UsePerfData "$@"
      ;;
  esac
  exec "$java_home/bin/java" --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow "$@"
}

# hosted NAME ARGUMENT…: has the controller of this machine run the command and exits; returns when it has to run by itself
hosted() {
  case $1 in squeue | sinfo | sprio | sshare | sdiag | sacct | scancel | sbatch | scontrol | sacctmgr) ;; *) return 0 ;; esac
  [ -x /usr/bin/perl ] || return 0
  code=0
  /usr/bin/perl "$home/bin/hosted.pl" "$@" || code=$?
  [ "$code" = 254 ] || exit "$code"
}

# slurm_command NAME ARGUMENT…: runs the Slurm command NAME
slurm_command() {
  if [ ! -r "$dist/lib/yardmaster-server.jar" ]; then
    [ -w "$home" ] || fail "$1: not built yet; the owner of $home has to run ./yardmaster build once"
    "$home/yardmaster" build >&2 || exit 1
  fi
  hosted "$@"
  launch cli yardmaster-server.jar dev.yardmaster.server.Main "$@"
}
