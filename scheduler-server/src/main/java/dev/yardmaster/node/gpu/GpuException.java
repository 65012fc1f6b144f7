package dev.yardmaster.node.gpu;

/** GPUs cannot be found; the message names what was asked, and what it said. */
public final class GpuException extends Exception {
  private static final long serialVersionUID = 1L;

  GpuException(String message) {
    super(message);
  }

  GpuException(String message, Throwable cause) {
    super(message, cause);
  }
}
