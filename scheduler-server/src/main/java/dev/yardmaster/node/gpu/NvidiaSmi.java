package dev.yardmaster.node.gpu;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** Finds NVIDIA's GPUs by what nvidia-smi prints, where NVML itself cannot be used. */
final class NvidiaSmi implements GpuSource {
  private static final String PROGRAM = "nvidia-smi";
  private static final Pattern PART =
      Pattern.compile("^\\s+MIG (\\S+)\\s+Device\\s+(\\d+): \\(UUID: (MIG-[^)]+)\\)$");
  private static final Pattern GPU = Pattern.compile("^GPU (\\d+): .*\\(UUID: ([^)]+)\\)$");

  private final Tools tools;
  private final Path root;

  /**
   * @param root of the file systems of the kernel, {@code /} but in tests
   */
  NvidiaSmi(Tools tools, Path root) {
    this.tools = tools;
    this.root = root;
  }

  @Override
  public String name() {
    return "nvml";
  }

  @Override
  public List<Gpu> gpus() throws GpuException {
    List<Element> elements = elements(tools.run(List.of(PROGRAM, "-q", "-x")));
    LinkMatrix matrix = matrix(elements.size());
    Map<String, String> parts =
        elements.stream().anyMatch(NvidiaSmi::isDivided)
            ? parts(tools.run(List.of(PROGRAM, "-L")))
            : Map.of();
    List<Gpu> found = new ArrayList<>();
    for (int i = 0; i < elements.size(); i++) {
      find(elements.get(i), i, matrix, parts, found);
    }
    return found;
  }

  private @Nullable LinkMatrix matrix(int gpus) throws GpuException {
    String text = tools.run(List.of(PROGRAM, "topo", "-m"));
    try {
      LinkMatrix matrix = LinkMatrix.read(text);
      if (matrix.links().size() != gpus) {
        throw new GpuException(
            "nvidia-smi topo -m shows " + matrix.links().size() + " GPUs, nvidia-smi -q " + gpus);
      }
      return matrix;
    } catch (LinkMatrix.Unreadable e) {
      throw new GpuException("nvidia-smi topo -m: " + e.getMessage(), e);
    }
  }

  private void find(
      Element gpu,
      int index,
      @Nullable LinkMatrix matrix,
      Map<String, String> parts,
      List<Gpu> found)
      throws GpuException {
    String minor = text(gpu, "minor_number");
    String uuid = text(gpu, "uuid");
    if (!minor.matches("[0-9]{1,4}")) {
      throw new GpuException(
          "nvidia-smi -q: GPU " + gpu.getAttribute("id") + " has no Minor Number");
    }
    String type = Gpu.typeOf(text(gpu, "product_name"));
    Gpu whole =
        new Gpu(
            index,
            type,
            "/dev/nvidia" + minor,
            uuid,
            matrix == null ? null : matrix.cpus().get(index),
            matrix == null ? null : matrix.links().get(index),
            false);
    List<Element> devices = children(gpu, "mig_devices", "mig_device");
    if (!isDivided(gpu) || devices.isEmpty()) {
      found.add(whole);
      return;
    }
    for (Element device : devices) {
      String place = uuid + " " + text(device, "index");
      String known = parts.get(place);
      if (known == null) {
        throw new GpuException("nvidia-smi -L shows no MIG device " + place);
      }
      String[] profile = known.split(" ", 2);
      String files =
          new MigMinors(root)
              .files(
                  Long.parseLong(minor),
                  number(device, "gpu_instance_id"),
                  number(device, "compute_instance_id"));
      found.add(
          new Gpu(
              index,
              type.replaceFirst("-.*", "") + "_" + profile[0],
              whole.file() + files,
              profile[1],
              whole.cpus(),
              null,
              true));
    }
  }

  /** By UUID of the GPU and number of the part: its profile and its UUID. */
  private static Map<String, String> parts(String list) {
    Map<String, String> parts = new HashMap<>();
    String gpu = "";
    for (String line : list.lines().toList()) {
      Matcher whole = GPU.matcher(line);
      Matcher part = PART.matcher(line);
      if (whole.matches()) {
        gpu = whole.group(2);
      } else if (part.matches()) {
        parts.put(gpu + " " + part.group(2), part.group(1) + " " + part.group(3));
      }
    }
    return parts;
  }

  private static boolean isDivided(Element gpu) {
    return children(gpu, "mig_mode", "current_mig").stream()
        .anyMatch(e -> e.getTextContent().strip().equals("Enabled"));
  }

  private static long number(Element element, String name) throws GpuException {
    String text = text(element, name);
    if (!text.matches("[0-9]{1,4}")) {
      throw new GpuException("nvidia-smi -q: " + name + " of a MIG device is \"" + text + "\"");
    }
    return Long.parseLong(text);
  }

  /** The GPUs of {@code nvidia-smi -q -x}. */
  static List<Element> elements(String xml) throws GpuException {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      // The text names a DTD, which nobody is to look for.
      factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
      factory.setFeature("http://xml.org/sax/features/external-general-entities", false);
      Document document =
          factory.newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
      return children(document.getDocumentElement(), "gpu");
    } catch (SAXException | IOException | ParserConfigurationException e) {
      throw new GpuException("nvidia-smi -q -x: " + e.getMessage(), e);
    }
  }

  /** The elements along a path of names, below one. */
  static List<Element> children(Element from, String... path) {
    List<Element> level = List.of(from);
    for (String name : path) {
      List<Element> next = new ArrayList<>();
      for (Element element : level) {
        for (Node n = element.getFirstChild(); n != null; n = n.getNextSibling()) {
          if (n instanceof Element child && child.getTagName().equals(name)) {
            next.add(child);
          }
        }
      }
      level = next;
    }
    return level;
  }

  /** What an element along a path says; empty without one. */
  static String text(Element from, String... path) {
    return children(from, path).stream()
        .map(e -> e.getTextContent().strip())
        .findFirst()
        .orElse("");
  }
}
