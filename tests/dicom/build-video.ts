import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  MkvOutputFormat,
  MovOutputFormat,
  Mp4OutputFormat,
  MpegTsOutputFormat,
  Output,
} from 'mediabunny';

/** Writes the fields of a bit stream of H.264 (ITU-T H.264 7.2, 9.1). */
const bitWriter = () => {
  const bytes: number[] = [];
  let filled = 0;
  const bits = (value: number, count: number): void => {
    for (let bit = count - 1; bit >= 0; bit--) {
      if (filled === 0) bytes.push(0);
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | (((value >> bit) & 1) << (7 - filled));
      filled = (filled + 1) % 8;
    }
  };
  return {
    bits,
    /** Exponential-Golomb code. */
    ue: (value: number): void => {
      const length = Math.floor(Math.log2(value + 1));
      bits(0, length);
      bits(value + 1, length + 1);
    },
    align: (): void => {
      if (filled > 0) bits(0, 8 - filled);
    },
    byte: (value: number): void => {
      bytes.push(value);
    },
    /** Returns the bytes with the stop bit and the bytes that prevent start codes (7.4.1). */
    unit: (header: number): Uint8Array => {
      bits(1, 1);
      const out = [header];
      for (const byte of bytes) {
        if (byte <= 3 && out.at(-1) === 0 && out.at(-2) === 0 && out.length > 2) out.push(3);
        out.push(byte);
      }
      return Uint8Array.from(out);
    },
  };
};

interface Stream {
  readonly profile: number;
  /** Ten times the level. */
  readonly level: number;
  /** In macroblocks of 16 pixels. */
  readonly columns: number;
  readonly rows: number;
}

const sequenceSet = ({ profile, level, columns, rows }: Stream): Uint8Array => {
  const writer = bitWriter();
  writer.bits(profile, 8);
  writer.bits(profile === 66 ? 0xc0 : 0, 8);
  writer.bits(level, 8);
  writer.ue(0);
  if (profile === 100) {
    // 4:2:0 of 8 bits without scaling lists.
    for (const value of [1, 0, 0]) writer.ue(value);
    writer.bits(0, 2);
  }
  for (const value of [0, 2, 0]) writer.ue(value);
  writer.bits(0, 1);
  writer.ue(columns - 1);
  writer.ue(rows - 1);
  // Whole frames, 8 x 8 inference; no cropping, no usability information.
  writer.bits(0b1100, 4);
  return writer.unit(0x67);
};

const pictureSet = (): Uint8Array => {
  const writer = bitWriter();
  for (const value of [0, 0]) writer.ue(value);
  writer.bits(0, 2);
  for (const value of [0, 0, 0]) writer.ue(value);
  writer.bits(0, 3);
  for (const value of [0, 0, 0]) writer.ue(value);
  writer.bits(0, 3);
  return writer.unit(0x68);
};

/** One frame of a single grey value, uncompressed: each macroblock is I_PCM. */
const frameOf = ({ columns, rows }: Stream, index: number, grey: number): Uint8Array => {
  const writer = bitWriter();
  for (const value of [0, 7, 0]) writer.ue(value);
  writer.bits(0, 4);
  writer.ue(index % 2);
  writer.bits(0, 2);
  writer.ue(0);
  for (let block = 0; block < columns * rows; block++) {
    writer.ue(25);
    writer.align();
    for (let pixel = 0; pixel < 256; pixel++) writer.byte(grey);
    for (let pixel = 0; pixel < 128; pixel++) writer.byte(128);
  }
  return writer.unit(0x65);
};

const sized = (unit: Uint8Array): number[] => [...[24, 16, 8, 0].map((bits) => (unit.length >> bits) & 255), ...unit];

const started = (unit: Uint8Array): number[] => [0, 0, 0, 1, ...unit];

const containers = {
  mp4: () => new Mp4OutputFormat(),
  mov: () => new MovOutputFormat(),
  mkv: () => new MkvOutputFormat(),
  ts: () => new MpegTsOutputFormat(),
};

/** Configuration of an HEVC decoder without parameter sets (ISO/IEC 14496-15 8.3.2.1); the level is thirty times that of the standard. */
const hevcConfiguration = (profile: number, level: number): Uint8Array => {
  const profileAndLevel = [profile, 0x60, 0, 0, 0, 0x90, 0, 0, 0, 0, 0, level];
  return Uint8Array.from([1, ...profileAndLevel, 0xf0, 0, 0xfc, 0xfd, 0xf8, 0xf8, 0, 0, 0x0f, 0]);
};

export interface VideoOptions extends Partial<Stream> {
  readonly container?: keyof typeof containers;
  readonly frames?: number;
  readonly framesPerSecond?: number;
  readonly rotation?: 0 | 90 | 180 | 270;
  readonly withSound?: 'aac' | 'pcm-s16';
  /** Of the file, as a telephone writes it. */
  readonly takenAt?: Date;
  /** Codec of the track that the file states; the bytes remain those of H.264. */
  readonly codec?: 'avc' | 'hevc' | 'vp9';
}

/** Builds a video of grey frames, lighter from frame to frame. */
export const buildVideo = async (options: VideoOptions = {}): Promise<Uint8Array> => {
  const { container = 'mp4', frames = 10, framesPerSecond = 10, rotation = 0, codec = 'avc' } = options;
  const stream = { profile: 66, level: 30, columns: 4, rows: 3, ...options };
  const target = new BufferTarget();
  const output = new Output({ format: containers[container](), target });
  const video = new EncodedVideoPacketSource(codec);
  output.addVideoTrack(video, { rotation });
  const sound = options.withSound && new EncodedAudioPacketSource(options.withSound);
  if (sound) output.addAudioTrack(sound);
  if (options.takenAt) output.setMetadataTags({ date: options.takenAt, comment: 'Filmed at home' });
  await output.start();
  const [sequence, picture] = [sequenceSet(stream), pictureSet()];
  const [, profile = 0, constraints = 0, level = 0] = sequence;
  // The configuration of a decoder in MP4 (ISO/IEC 14496-15 5.3.3.1).
  const sets = [0xe1, 0, sequence.length, sequence, 1, 0, picture.length, picture].flatMap((part) =>
    typeof part === 'number' ? part : [...part],
  );
  const ofHigh = profile === 100 ? [0xfd, 0xf8, 0xf8, 0] : [];
  const description = Uint8Array.from([1, profile, constraints, level, 0xff].concat(sets, ofHigh));
  const hex = (value: number) => value.toString(16).padStart(2, '0');
  const coding = {
    avc: { codec: `avc1.${[profile, constraints, level].map(hex).join('')}`, description },
    hevc: {
      codec: `hvc1.${stream.profile}.6.L${stream.level}.90`,
      description: hevcConfiguration(stream.profile, stream.level),
    },
    vp9: { codec: 'vp09.00.10.08', description: undefined },
  }[codec];
  const decoderConfig = {
    codec: coding.codec,
    codedWidth: stream.columns * 16,
    codedHeight: stream.rows * 16,
    // The frames of a transport stream have their parameter sets with them.
    ...(container !== 'ts' && coding.description && { description: coding.description }),
  };
  for (let index = 0; index < frames; index++) {
    const frame = frameOf(stream, index, 40 + Math.round((index * 160) / frames));
    const data = container === 'ts' ? [sequence, picture, frame].flatMap(started) : sized(frame);
    const packet = new EncodedPacket(Uint8Array.from(data), 'key', index / framesPerSecond, 1 / framesPerSecond);
    await video.add(packet, { decoderConfig });
  }
  if (sound) {
    const silent = new EncodedPacket(new Uint8Array(4096), 'key', 0, 1024 / 48_000);
    const config = {
      codec: options.withSound === 'aac' ? 'mp4a.40.2' : 'pcm-s16',
      sampleRate: 48_000,
      numberOfChannels: 2,
    };
    await sound.add(silent, {
      decoderConfig: { ...config, ...(options.withSound === 'aac' && { description: Uint8Array.from([0x11, 0x90]) }) },
    });
  }
  await output.finalize();
  return new Uint8Array(target.buffer ?? new ArrayBuffer());
};
