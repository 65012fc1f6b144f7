package dev.yardmaster.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.Identity;
import java.nio.file.FileSystems;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import org.junit.jupiter.api.Test;

class PeerTest {
  private static final int NOBODY = 65534;

  /** A process that is nobody says who it is; only all of the truth is believed. */
  @Test
  void aLocalCallerIsWhoTheKernelSaysByNumberNameAndGroup() throws Exception {
    UserPrincipalLookupService names = FileSystems.getDefault().getUserPrincipalLookupService();
    UserPrincipal nobody = names.lookupPrincipalByName("nobody");
    GroupPrincipal nogroup = names.lookupPrincipalByGroupName("nogroup");
    Peer.Local peer = new Peer.Local(nobody, nogroup);
    String group = nogroup.getName();
    assertThat(peer.mayBe(new Identity("nobody", NOBODY, group, NOBODY))).isTrue();
    assertThat(peer.mayBe(new Identity("bob", NOBODY, group, NOBODY))).isFalse();
    assertThat(peer.mayBe(new Identity("root", NOBODY, group, NOBODY))).isFalse();
    assertThat(peer.mayBe(new Identity("nobody", 0, group, NOBODY))).isFalse();
    assertThat(peer.mayBe(new Identity("nobody", NOBODY, "root", NOBODY))).isFalse();
    assertThat(peer.mayBe(new Identity("nobody", NOBODY, group, 0))).isFalse();
    Peer.Local root =
        new Peer.Local(names.lookupPrincipalByName("0"), names.lookupPrincipalByGroupName("0"));
    assertThat(root.mayBe(new Identity("bob", 1234, "users", 100))).isTrue();
  }
}
