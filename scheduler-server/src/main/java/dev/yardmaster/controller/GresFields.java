package dev.yardmaster.controller;

import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.GresRequest.Scope;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.GresItem;
import dev.yardmaster.model.text.GresList;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@code scontrol update job} changes of generic resources: Gres and TresPerNode, TresPerJob,
 * TresPerSocket and TresPerTask.
 */
final class GresFields {
  private GresFields() {}

  /**
   * The request with other resources of one scope; those of other scopes stay.
   *
   * @param value as in {@code gpu:h100:2}; for all scopes but that of a node each one begins with
   *     {@code gres/} or {@code gres:}
   * @throws Refusal when the value cannot be read or names what the cluster does not know
   */
  static JobRequest apply(
      JobRequest request, Scope scope, String value, JobUpdates.Context context) {
    List<GresRequest> requests = new ArrayList<>();
    for (GresRequest other : request.gres()) {
      if (other.scope() != scope) {
        requests.add(other);
      }
    }
    if (scope != Scope.NODE && !value.matches("(gres[/:][^,]+(,gres[/:][^,]+)*)?")) {
      throw new Refusal(
          SlurmError.INVALID_TRES, "\n\"" + value + "\": write gres/NAME:COUNT, as gres/gpu:4");
    }
    try {
      for (GresItem item : GresList.parse(value)) {
        if (!context.state().config().gresTypes().contains(item.name())) {
          throw new Refusal(SlurmError.INVALID_GRES, "\n\"" + item.name() + "\" is no GresTypes");
        }
        if (item.count() > 0) {
          requests.add(new GresRequest(item.name(), item.type(), item.count(), scope));
        }
      }
    } catch (IllegalArgumentException e) {
      throw new Refusal(SlurmError.INVALID_GRES, "\n" + e.getMessage());
    }
    return request.withGres(requests);
  }
}
