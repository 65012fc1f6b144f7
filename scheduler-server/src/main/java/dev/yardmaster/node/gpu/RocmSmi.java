package dev.yardmaster.node.gpu;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Finds AMD's GPUs by what rocm-smi prints (gres.conf(5), AutoDetect=rsmi). */
final class RocmSmi implements GpuSource {
  private static final String PROGRAM = "rocm-smi";

  /** What versions of rocm-smi call a product, the best first. */
  private static final List<String> NAMES =
      List.of("Device Name", "Card Series", "Card series", "Card model", "GPU ID", "Device ID");

  private final Tools tools;
  private final Path root;

  /**
   * @param root of the file systems of the kernel, {@code /} but in tests
   */
  RocmSmi(Tools tools, Path root) {
    this.tools = tools;
    this.root = root;
  }

  @Override
  public String name() {
    return "rsmi";
  }

  @Override
  public List<Gpu> gpus() throws GpuException {
    String json =
        tools.run(List.of(PROGRAM, "--showproductname", "--showuniqueid", "--showbus", "--json"));
    Map<Integer, JsonNode> cards = cards(json);
    LinkMatrix matrix = matrix(cards.size());
    List<Gpu> found = new ArrayList<>();
    for (Map.Entry<Integer, JsonNode> card : cards.entrySet()) {
      found.add(gpu(card.getKey(), card.getValue(), found.size(), matrix));
    }
    return found;
  }

  private @Nullable LinkMatrix matrix(int gpus) throws GpuException {
    if (gpus < 2) {
      return null;
    }
    try {
      LinkMatrix matrix = LinkMatrix.read(tools.run(List.of(PROGRAM, "--showtopo")));
      if (matrix.links().size() != gpus) {
        throw new GpuException(
            "rocm-smi --showtopo shows " + matrix.links().size() + " GPUs, not " + gpus);
      }
      return matrix;
    } catch (LinkMatrix.Unreadable e) {
      throw new GpuException("rocm-smi --showtopo: " + e.getMessage(), e);
    }
  }

  /** The cards of a JSON text of rocm-smi by their numbers. */
  static Map<Integer, JsonNode> cards(String json) throws GpuException {
    try {
      Map<Integer, JsonNode> cards = new TreeMap<>();
      // Some versions print a warning first.
      JsonNode all = new ObjectMapper().readTree(json.substring(Math.max(0, json.indexOf('{'))));
      all.properties()
          .forEach(
              field -> {
                if (field.getKey().matches("card[0-9]{1,3}")) {
                  cards.put(Integer.parseInt(field.getKey().substring(4)), field.getValue());
                }
              });
      return cards;
    } catch (JsonProcessingException e) {
      throw new GpuException("rocm-smi --json: " + e.getOriginalMessage(), e);
    }
  }

  private Gpu gpu(int card, JsonNode said, int index, @Nullable LinkMatrix matrix)
      throws GpuException {
    String bus = said.path("PCI Bus").asText("").toLowerCase(Locale.ROOT);
    if (!bus.matches("[0-9a-f:.]{7,16}")) {
      throw new GpuException("rocm-smi --showbus: card" + card + " has no PCI Bus");
    }
    String type =
        NAMES.stream()
            .map(name -> said.path(name).asText(""))
            .filter(text -> !text.isEmpty() && !text.equals("N/A"))
            .findFirst()
            .orElse("");
    String uuid = said.path("Unique ID").asText("");
    return new Gpu(
        index,
        Gpu.typeOf(type),
        file(bus),
        uuid.equals("N/A") ? "" : uuid,
        NvidiaProc.near(root, bus),
        matrix == null ? null : matrix.links().get(index),
        false);
  }

  /** The device by which programs use the card. */
  private String file(String bus) throws GpuException {
    Path folder = root.resolve("sys/bus/pci/devices/" + bus + "/drm");
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "renderD*")) {
      for (Path entry : entries) {
        return "/dev/dri/" + entry.getFileName();
      }
    } catch (IOException e) {
      throw new GpuException("the GPU at " + bus + " has no " + folder, e);
    }
    throw new GpuException("the GPU at " + bus + " has no device renderD… in " + folder);
  }
}
