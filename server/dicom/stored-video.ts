import { type DicomFile, readDicomFile } from '../../dicom/file.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import { tags } from '../../dicom/tags.ts';
import { isVideo } from '../../dicom/transfer-syntax.ts';
import { openVideo, toMp4 } from './video-file.ts';
import { type FileToRead, readWholeFile } from './whole-file.ts';

/** A video is one stream, whose fragments have no meaning of their own; the first item is the offset table (PS3.5 8.2.7). */
const streamOf = ({ dataSet }: DicomFile): Uint8Array => {
  const [, ...fragments] = dataSet.elements.get(tags.pixelData)?.fragments ?? [];
  const { bytes } = dataSet.source;
  return Buffer.concat(fragments.map(({ offset, length }) => bytes.subarray(offset, offset + length)));
};

/**
 * Returns the video of a DICOM object as an MP4 file, which browsers play.
 * @throws DicomProblem 'image-unsupported' when there is none, 'video-unsupported', 'malformed', 'truncated', 'too-large'; StorageError 'damaged'
 */
export const storedVideo = async (file: FileToRead, maxFileBytes: number): Promise<Uint8Array> => {
  const dicom = readDicomFile(await readWholeFile(file, maxFileBytes));
  if (!isVideo(dicom.transferSyntaxUid)) throw new DicomProblem('image-unsupported', 'the object is not a video');
  return toMp4(await openVideo(streamOf(dicom)));
};
