package dev.yardmaster.model;

import dev.yardmaster.model.text.HostList;
import java.time.Instant;

/**
 * Where and when backfill planned a pending job.
 *
 * @param start estimated start
 * @param nodes the nodes planned for it (SchedNodeList); empty when only the time is known
 * @param made when this estimate was made
 */
public record PlannedStart(Instant start, HostList nodes, String partition, Instant made) {}
