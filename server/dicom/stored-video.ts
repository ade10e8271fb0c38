import { readDicomFile } from '../../dicom/file.ts';
import { encodedStream } from '../../dicom/frames.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import { isVideo } from '../../dicom/transfer-syntax.ts';
import { openVideo, toMp4 } from './video-file.ts';
import { type FileToRead, readWholeFile } from './whole-file.ts';

/**
 * Returns the video of a DICOM object as an MP4 file, which browsers play.
 * @throws DicomProblem 'image-unsupported' when it is not a video, 'no-pixel-data', 'video-unsupported', 'malformed', 'truncated',
 * 'too-large'; StorageError 'damaged'
 */
export const storedVideo = async (file: FileToRead, maxFileBytes: number): Promise<Uint8Array> => {
  const dicom = readDicomFile(await readWholeFile(file, maxFileBytes));
  if (!isVideo(dicom.transferSyntaxUid)) throw new DicomProblem('image-unsupported', 'the object is not a video');
  return toMp4(await openVideo(encodedStream(dicom)));
};
