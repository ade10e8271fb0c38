import { openVideo, toMp4 } from './video-file.ts';
import { type FileToRead, readWholeFile } from './whole-file.ts';

/** Properties of a video file that the import needs. */
export interface VideoInspection {
  /** Start of the recording, `YYYY-MM-DD` or `YYYY-MM-DDTHH:MM:SS` in the camera's local time; null when the file does not state it. */
  readonly acquiredAt: string | null;
}

/** The keys of an iPhone and of MP4 files, both with texts of ISO 8601. */
const recordingKeys = ['com.apple.quicktime.creationdate', '©day'];

/**
 * Copies a video once to verify that it can be stored whole.
 * @throws DicomProblem 'video-unsupported', 'malformed', 'truncated', 'too-large'; StorageError 'damaged'
 */
export const inspectVideo = async (file: FileToRead, maxFileBytes: number): Promise<VideoInspection> => {
  const video = await openVideo(await readWholeFile(file, maxFileBytes));
  await toMp4(video);
  const { raw = {} } = await video.input.getMetadataTags();
  video.input.dispose();
  const written = recordingKeys.map((key) => raw[key]).find((value) => typeof value === 'string') ?? '';
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2}))?/.exec(String(written)) ?? [];
  return { acquiredAt: day === undefined ? null : time === undefined ? day : `${day}T${time}` };
};
