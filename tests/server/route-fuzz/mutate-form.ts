import type { Random } from '../../dicom/mutate.ts';
import { mutated } from '../../dicom/mutate.ts';
import { hostileText } from './hostile-values.ts';

export interface FormPart {
  readonly name: string;
  readonly fileName: string | null;
  readonly bytes: Uint8Array;
}

export const partsOf = async (form: FormData): Promise<FormPart[]> =>
  Promise.all(
    [...form].map(async ([name, value]) =>
      typeof value === 'string'
        ? { name, fileName: null, bytes: Buffer.from(value) }
        : { name, fileName: value.name, bytes: new Uint8Array(await value.arrayBuffer()) },
    ),
  );

type Change = (parts: FormPart[], at: number, random: Random) => FormPart[];
const changed = (parts: FormPart[], at: number, change: Partial<FormPart>): FormPart[] =>
  parts.map((part, index) => (index === at ? { ...part, ...change } : part));

const fileNames = [
  '',
  '..',
  '../../etc/passwd',
  'C:\\a\\b.dcm',
  'a/b/c.dcm',
  'a\0.dcm',
  '\ud800.dcm',
  `${'ö'.repeat(300)}.dcm`,
  'DICOMDIR',
  'a.zip',
  '.',
  'CON',
];

const changes: readonly Change[] = [
  (parts, at) => parts.filter((_, index) => index !== at),
  (parts, at) => parts.flatMap((part, index) => (index === at ? [part, part] : [part])),
  (parts) => parts.toReversed(),
  () => [],
  (parts, at, random) => changed(parts, at, { name: hostileText(random).slice(0, 300) }),
  (parts, at, random) => changed(parts, at, { fileName: fileNames[random(fileNames.length)] ?? '' }),
  (parts, at) => changed(parts, at, { fileName: parts[at]?.fileName === null ? 'a.txt' : null }),
  (parts, at, random) => changed(parts, at, { bytes: Buffer.from(hostileText(random)) }),
  (parts, at) => changed(parts, at, { bytes: new Uint8Array() }),
  (parts, at, random) => {
    // A copy, because Node's buffers share memory.
    const bytes = new Uint8Array(parts[at]?.bytes ?? []);
    return changed(parts, at, { bytes: mutated(bytes, random, bytes) });
  },
  (parts, _, random) => [...parts, { name: '__proto__', fileName: null, bytes: Buffer.from(hostileText(random)) }],
  (parts) => Array.from({ length: 40 }, () => parts).flat(),
];

export const mutatedForm = (form: FormPart[], random: Random): FormPart[] => {
  let parts = form;
  for (let count = 1 + random(2); count > 0; count--)
    parts = changes[random(changes.length)]?.(parts, random(Math.max(1, parts.length)), random) ?? parts;
  return parts;
};

const boundary = 'dentarium-fuzz';

/** Encodes a form with a fixed boundary, so that the bytes are the same in every run. */
export const encodedForm = (parts: readonly FormPart[]): { readonly contentType: string; readonly bytes: Buffer } => {
  const chunks = parts.flatMap(({ name, fileName, bytes }) => [
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"`),
    Buffer.from(
      fileName === null ? '\r\n\r\n' : `; filename="${fileName}"\r\ncontent-type: application/octet-stream\r\n\r\n`,
    ),
    bytes,
    Buffer.from('\r\n'),
  ]);
  const bytes = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
  return { contentType: `multipart/form-data; boundary=${boundary}`, bytes };
};
