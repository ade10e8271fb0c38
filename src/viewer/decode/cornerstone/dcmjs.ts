/**
 * Replaces 'dcmjs' (700 KB: the DICOM dictionary) in the bundle. Cornerstone's cache and loader use only the names of
 * four transfer syntaxes (PS3.6 A) and a logger.
 */
export const constants = {
  IMPLICIT_LITTLE_ENDIAN: '1.2.840.10008.1.2',
  EXPLICIT_LITTLE_ENDIAN: '1.2.840.10008.1.2.1',
  DEFLATED_EXPLICIT_LITTLE_ENDIAN: '1.2.840.10008.1.2.1.99',
  EXPLICIT_BIG_ENDIAN: '1.2.840.10008.1.2.2',
} as const;

/** Logs nothing: errors are reported by rejected promises, and image names do not belong in the console. */
interface SilentLogger {
  readonly trace: () => void;
  readonly debug: () => void;
  readonly info: () => void;
  readonly warn: () => void;
  readonly error: () => void;
  readonly setLevel: () => void;
  getLogger: (...names: readonly string[]) => SilentLogger;
}

const silence = () => undefined;

const silentLogger = (): SilentLogger => ({
  trace: silence,
  debug: silence,
  info: silence,
  warn: silence,
  error: silence,
  setLevel: silence,
  getLogger: silentLogger,
});

export const log = silentLogger();
