import type { imageDownload } from '../../../contract/gallery.ts';
import type { BodyOf } from '../../../contract/route.ts';
import type { ZippedFile } from '../../storage/zip-files.ts';
import { exposureDay, fileOf, type SentImage } from './gathered.ts';

type Referral = Pick<BodyOf<typeof imageDownload>, 'recipient' | 'purpose' | 'question'>;

const lineOf = (image: SentImage): string =>
  [image.zipName, exposureDay(image) ?? '', image.teeth.join(' ')].join('\t').trimEnd();

/**
 * Returns `referral.txt`, UTF-8 without words of any language: recipient, purpose, question, then a line for each image with file, day and
 * teeth (ISO 3950), separated by tabs.
 */
export const referralFile = (
  { recipient, purpose, question = '' }: Referral,
  sent: readonly SentImage[],
): ZippedFile => {
  const heading = [recipient, purpose].filter(Boolean);
  const lines = [
    ...heading,
    ...(heading.length > 0 ? [''] : []),
    ...question.split(/\r?\n/),
    '',
    ...sent.map(lineOf),
    '',
  ];
  return fileOf('referral.txt', Buffer.from(lines.join('\r\n')), new Date());
};
