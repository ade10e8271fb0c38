import {
  BufferSource,
  BufferTarget,
  Conversion,
  Input,
  type InputTrack,
  type InputVideoTrack,
  MP4,
  MPEG_TS,
  Mp4OutputFormat,
  Output,
  QTFF,
} from 'mediabunny';
import { DicomProblem } from '../../dicom/problem.ts';

/** How DICOM stores a coded video (PS3.5 8.2.7, 8.2.8). */
export interface VideoCoding {
  readonly transferSyntaxUid: string;
  /** Lossy Image Compression Method (PS3.3 C.7.6.1.1.5.1) */
  readonly method: 'ISO_14496_10' | 'ISO_23008_2';
  readonly bitsStored: 8 | 10;
}

export interface OpenedVideo {
  readonly input: Input;
  readonly track: InputVideoTrack;
  readonly coding: VideoCoding;
}

/** Baseline, Main and High: a decoder of the High profile plays them. */
const avcProfiles = [66, 77, 100];

/** `avc1.PPCCLL`: profile, constraints and ten times the level, in hexadecimal digits (RFC 6381 3.3). */
const avcCodingOf = (codec: string): VideoCoding | null => {
  const [, profile = '', level = ''] = /^avc[13]\.(\w\w)\w\w(\w\w)$/.exec(codec) ?? [];
  const tenfoldLevel = Number.parseInt(level, 16);
  if (!avcProfiles.includes(Number.parseInt(profile, 16)) || !(tenfoldLevel <= 42)) return null;
  const transferSyntaxUid = `1.2.840.10008.1.2.4.${tenfoldLevel <= 41 ? 102 : 104}`;
  return { transferSyntaxUid, method: 'ISO_14496_10', bitsStored: 8 };
};

/** `hvc1.P.C.LN`: profile, compatibility, main tier and thirty times the level (ISO/IEC 14496-15 E.3). */
const hevcCodingOf = (codec: string): VideoCoding | null => {
  const [, profile = '', level = ''] = /^h[ev][vc]1\.([12])\.\w+\.L(\d+)/.exec(codec) ?? [];
  if (profile === '' || Number(level) > 153) return null;
  return {
    transferSyntaxUid: `1.2.840.10008.1.2.4.${profile === '1' ? 107 : 108}`,
    method: 'ISO_23008_2',
    bitsStored: profile === '1' ? 8 : 10,
  };
};

const unreadable = (): DicomProblem => new DicomProblem('malformed', 'the video cannot be read');

const readVideo = async (bytes: Uint8Array): Promise<OpenedVideo> => {
  const input = new Input({ formats: [MP4, QTFF, MPEG_TS], source: new BufferSource(bytes) });
  if (!(await input.canRead())) throw new DicomProblem('video-unsupported', 'it is not an MP4 or QuickTime file');
  const track = await input.getPrimaryVideoTrack();
  if (!track) throw new DicomProblem('video-unsupported', 'the file has no video that can be read');
  const codec = (await track.getCodecParameterString()) ?? 'unknown';
  const coding = avcCodingOf(codec) ?? hevcCodingOf(codec);
  if (!coding)
    throw new DicomProblem(
      'video-unsupported',
      `the video is coded as ${codec}; DICOM has H.264 up to level 4.2 and HEVC up to level 5.1`,
    );
  return { input, track, coding };
};

/**
 * Opens a video file. Ends its use with `input.dispose()`.
 * @throws DicomProblem 'video-unsupported', 'malformed'
 */
export const openVideo = async (bytes: Uint8Array): Promise<OpenedVideo> => {
  try {
    return await readVideo(bytes);
  } catch (error) {
    throw error instanceof DicomProblem ? error : unreadable();
  }
};

/** Other tracks of a telephone's file hold places, movements and sound that no browser plays. */
const isKept = (video: InputVideoTrack, track: InputTrack): boolean =>
  track === video || (track.isAudioTrack() && track.codec === 'aac');

const framesOf = async (track: InputVideoTrack): Promise<number> =>
  (await track.computePacketStats(undefined, { metadataOnly: true })).packetCount;

/** The frames that a file lists but lacks, because it was cut off, are missing in the copy without an error. */
const checkWhole = async (original: InputVideoTrack, mp4: Uint8Array): Promise<void> => {
  const { input, track } = await readVideo(mp4);
  const [listed, copied] = [await framesOf(original), await framesOf(track)];
  input.dispose();
  if (copied === 0 || copied !== listed)
    throw new DicomProblem('truncated', `${listed} frames are announced, ${copied} are there`);
};

/**
 * Returns the coded frames, and the sound when it is AAC, in a new MP4 file without the other data of the old one, such as the place.
 * @throws DicomProblem 'malformed', 'truncated'
 */
export const toMp4 = async ({ input, track: video }: OpenedVideo): Promise<Uint8Array> => {
  try {
    const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target: new BufferTarget() });
    const discard = (track: InputTrack) => ({ discard: !isKept(video, track) });
    const conversion = await Conversion.init({ input, output, video: discard, audio: discard, tags: {} });
    if (!conversion.utilizedTracks.includes(video)) throw unreadable();
    await conversion.execute();
    const mp4 = new Uint8Array(output.target.buffer ?? new ArrayBuffer());
    await checkWhole(video, mp4);
    return mp4;
  } catch (error) {
    throw error instanceof DicomProblem ? error : unreadable();
  }
};
