package dev.yardmaster.api;

import dev.yardmaster.api.v1.WireAccounting;
import dev.yardmaster.model.Account;
import dev.yardmaster.model.AccountUser;
import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.AccountingChange;
import dev.yardmaster.model.AccountingReport;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.AssociationUsage;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.LimitKind;
import dev.yardmaster.model.Limits;
import dev.yardmaster.model.Qos;
import dev.yardmaster.model.QosUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** The accounting on the wire. */
public final class AccountingWire {
  private AccountingWire() {}

  public static WireAccounting.Accounting write(AccountingReport report) {
    WireAccounting.Accounting.Builder out =
        WireAccounting.Accounting.newBuilder().setCluster(report.cluster());
    Accounting accounting = report.accounting();
    accounting.accounts().values().forEach(a -> out.addAccounts(write(a)));
    accounting.users().values().forEach(u -> out.addUsers(write(u)));
    accounting.qos().values().forEach(q -> out.addQos(write(q)));
    accounting.associations().values().forEach(a -> out.addAssociations(write(a)));
    report.usage().forEach((id, u) -> out.putUsage(id, write(u)));
    report.qosUsage().forEach((name, u) -> out.putQosUsage(name, write(u)));
    out.putAllNormShares(report.normShares());
    report.runMinutes().forEach((id, amounts) -> out.putRunMinutes(id, amounts(amounts)));
    return out.build();
  }

  public static AccountingReport read(WireAccounting.Accounting in) {
    Accounting accounting =
        Accounting.EMPTY.apply(
            AccountingChange.NONE
                .withAccounts(in.getAccountsList().stream().map(AccountingWire::read).toList())
                .withUsers(in.getUsersList().stream().map(AccountingWire::read).toList())
                .withQos(in.getQosList().stream().map(AccountingWire::read).toList())
                .withAssociations(
                    in.getAssociationsList().stream().map(AccountingWire::read).toList()));
    TreeMap<Integer, AssociationUsage> usage = new TreeMap<>();
    in.getUsageMap().forEach((id, u) -> usage.put(id, read(u)));
    TreeMap<String, QosUsage> qosUsage = new TreeMap<>();
    in.getQosUsageMap().forEach((name, u) -> qosUsage.put(name, read(u)));
    TreeMap<Integer, SortedMap<String, Long>> minutes = new TreeMap<>();
    in.getRunMinutesMap()
        .forEach((id, a) -> minutes.put(id, Immutable.sortedMap(a.getAmountsMap())));
    return new AccountingReport(
        in.getCluster(),
        accounting,
        usage,
        qosUsage,
        Immutable.sortedMap(in.getNormSharesMap()),
        minutes);
  }

  public static WireAccounting.Account write(Account account) {
    return WireAccounting.Account.newBuilder()
        .setName(account.name())
        .setDescription(account.description())
        .setOrganization(account.organization())
        .addAllCoordinators(account.coordinators())
        .build();
  }

  public static Account read(WireAccounting.Account in) {
    return new Account(
        in.getName(), in.getDescription(), in.getOrganization(), in.getCoordinatorsList());
  }

  public static WireAccounting.AccountUser write(AccountUser user) {
    return WireAccounting.AccountUser.newBuilder()
        .setName(user.name())
        .setDefaultAccount(user.defaultAccount())
        .setDefaultWckey(user.defaultWckey())
        .addAllWckeys(user.wckeys())
        .setAdminLevel(user.adminLevel().name())
        .build();
  }

  public static AccountUser read(WireAccounting.AccountUser in) {
    return new AccountUser(
        in.getName(),
        in.getDefaultAccount(),
        in.getDefaultWckey(),
        in.getWckeysList(),
        Fields.word(AccountUser.AdminLevel.class, in.getAdminLevel()));
  }

  public static WireAccounting.Qos write(Qos qos) {
    WireAccounting.Qos.Builder out =
        WireAccounting.Qos.newBuilder()
            .setId(qos.id())
            .setName(qos.name())
            .setDescription(qos.description())
            .setPriority(qos.priority())
            .addAllFlags(qos.flags())
            .addAllPreempt(qos.preempt())
            .setPreemptMode(qos.preemptMode())
            .setGraceSeconds(qos.graceSeconds())
            .setUsageFactor(qos.usageFactor())
            .setLimits(write(qos.limits()));
    if (qos.preemptExemptSeconds() instanceof Long seconds) {
      out.setPreemptExemptSeconds(seconds);
    }
    if (qos.usageThreshold() instanceof Double threshold) {
      out.setUsageThreshold(threshold);
    }
    if (qos.limitFactor() instanceof Double factor) {
      out.setLimitFactor(factor);
    }
    return out.build();
  }

  public static Qos read(WireAccounting.Qos in) {
    return new Qos(
        in.getId(),
        in.getName(),
        in.getDescription(),
        in.getPriority(),
        new TreeSet<>(in.getFlagsList()),
        in.getPreemptList(),
        in.getPreemptMode(),
        in.hasPreemptExemptSeconds() ? (Long) in.getPreemptExemptSeconds() : null,
        in.getGraceSeconds(),
        in.getUsageFactor(),
        in.hasUsageThreshold() ? (Double) in.getUsageThreshold() : null,
        in.hasLimitFactor() ? (Double) in.getLimitFactor() : null,
        read(in.getLimits()));
  }

  public static WireAccounting.Association write(Association a) {
    WireAccounting.Association.Builder out =
        WireAccounting.Association.newBuilder()
            .setId(a.id())
            .setAccount(a.account())
            .setUser(a.user())
            .setPartition(a.partition())
            .setParent(a.parent())
            .setShares(a.shares())
            .addAllQosChanges(a.qosChanges())
            .setLimits(write(a.limits()))
            .setComment(a.comment());
    if (a.priority() instanceof Long priority) {
      out.setPriority(priority);
    }
    if (a.defaultQos() instanceof String qos) {
      out.setDefaultQos(qos);
    }
    List<String> own = a.qos();
    if (own != null) {
      out.setQos(WireAccounting.Association.Names.newBuilder().addAllNames(own));
    }
    return out.build();
  }

  public static Association read(WireAccounting.Association in) {
    return new Association(
        in.getId(),
        in.getAccount(),
        in.getUser(),
        in.getPartition(),
        in.getParent(),
        in.getShares(),
        in.hasPriority() ? (Long) in.getPriority() : null,
        in.hasDefaultQos() ? in.getDefaultQos() : null,
        in.hasQos() ? new ArrayList<>(in.getQos().getNamesList()) : null,
        in.getQosChangesList(),
        read(in.getLimits()),
        in.getComment());
  }

  private static WireAccounting.Limits write(Limits limits) {
    WireAccounting.Limits.Builder out = WireAccounting.Limits.newBuilder();
    limits.numbers().forEach((kind, number) -> out.putNumbers(kind.name(), number));
    limits.tres().forEach((kind, amounts) -> out.putTres(kind.name(), amounts(amounts)));
    return out.build();
  }

  private static Limits read(WireAccounting.Limits in) {
    TreeMap<LimitKind, Long> numbers = new TreeMap<>();
    in.getNumbersMap()
        .forEach((kind, number) -> numbers.put(Fields.word(LimitKind.class, kind), number));
    TreeMap<LimitKind, SortedMap<String, Long>> tres = new TreeMap<>();
    in.getTresMap()
        .forEach(
            (kind, amounts) ->
                tres.put(
                    Fields.word(LimitKind.class, kind),
                    Immutable.sortedMap(amounts.getAmountsMap())));
    return new Limits(numbers, tres);
  }

  private static WireAccounting.Amounts amounts(SortedMap<String, Long> amounts) {
    return WireAccounting.Amounts.newBuilder().putAllAmounts(amounts).build();
  }

  private static WireAccounting.AssociationUsage write(AssociationUsage u) {
    return WireAccounting.AssociationUsage.newBuilder()
        .setRaw(u.raw())
        .setWallSeconds(u.wallSeconds())
        .putAllTres(u.tres())
        .setNormUsage(u.normUsage())
        .setEffectiveUsage(u.effectiveUsage())
        .setLevelFs(u.levelFs())
        .setFairShare(u.fairShare())
        .build();
  }

  private static AssociationUsage read(WireAccounting.AssociationUsage in) {
    return new AssociationUsage(
        in.getRaw(),
        in.getWallSeconds(),
        Immutable.sortedMap(in.getTresMap()),
        in.getNormUsage(),
        in.getEffectiveUsage(),
        in.getLevelFs(),
        in.getFairShare());
  }

  private static WireAccounting.QosUsage write(QosUsage u) {
    return WireAccounting.QosUsage.newBuilder()
        .setRaw(u.raw())
        .setWallSeconds(u.wallSeconds())
        .putAllTres(u.tres())
        .build();
  }

  private static QosUsage read(WireAccounting.QosUsage in) {
    return new QosUsage(in.getRaw(), in.getWallSeconds(), Immutable.sortedMap(in.getTresMap()));
  }
}
