package dev.yardmaster.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.explain.Finding;
import dev.yardmaster.model.text.FeatureExpression;
import dev.yardmaster.model.text.HostList;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An explanation as JSON: its records with their component names, notations as text. */
final class ExplanationJson {
  private ExplanationJson() {}

  static String of(Explanation explanation) {
    SimpleModule texts = new SimpleModule();
    texts.addSerializer(HostList.class, ToStringSerializer.instance);
    texts.addSerializer(FeatureExpression.class, ToStringSerializer.instance);
    texts.addSerializer(Instant.class, ToStringSerializer.instance);
    ObjectMapper mapper =
        new ObjectMapper().registerModule(texts).enable(SerializationFeature.INDENT_OUTPUT);
    Map<String, Object> top = mapper.convertValue(explanation, new MapType());
    // The kind of evidence is its type, which a plain record does not say.
    List<Map<String, Object>> findings = new ArrayList<>();
    for (Finding finding : explanation.findings()) {
      Map<String, Object> one = mapper.convertValue(finding, new MapType());
      one.put("evidenceKind", finding.evidence().getClass().getSimpleName());
      findings.add(one);
    }
    top.put("findings", findings);
    try {
      return mapper.writeValueAsString(top);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class MapType extends TypeReference<LinkedHashMap<String, Object>> {}
}
