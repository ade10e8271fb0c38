import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createImaging } from '../../server/dicom/imaging.ts';
import { corpusFiles, corpusFolder, corpusIsThere } from './corpus.ts';

const imaging = createImaging({ timeLimitMs: 30_000 });
afterAll(imaging.close);

/** Expected problems by file; every other file must be importable. */
const expectedProblems: Readonly<Record<string, string>> = {
  'bad-input/3gb-bulk-data-truncated': 'pixel-data-short',
  'bad-input/GH1146.dcm': 'pixel-data-short',
  // Sequence delimiters are written over the codestream: its width is no longer that of the header.
  'bad-input/JPEG2000-embedded-sequence-delimiter.dcm': 'decode-failed',
  'bad-input/MR_truncated.dcm': 'pixel-data-short',
  'bad-input/dwv-test_no-number-rows.dcm': 'no-image-size',
  'bad-input/emri_small_jpeg_2k_lossless_too_short.dcm': 'pixel-data-short',
  'bad-input/invalid_compression.dcm': 'decode-failed',
  // Two bytes of pixel data without any size.
  'bad-input/meta_missing_tsyntax.dcm': 'no-image-size',
  'bad-input/nested_priv_SQ.dcm': 'no-image-size',
  // A stray byte stands in front of the first element.
  'bad-input/no_meta.dcm': 'not-dicom',
  'bad-input/rtplan_truncated.dcm': 'truncated',
  'dental-raster/bitewing.png': 'not-dicom',
  'dental-raster/panoramic_train_526.png': 'not-dicom',
  'dental-raster/panoramic_ufba_00.jpg': 'not-dicom',
  'dental-raster/panoramic_ufba_09.jpg': 'not-dicom',
  'dental-raster/panoramic_ufba_20.jpg': 'not-dicom',
};

const withoutPicture =
  /^(objects|dicomdir\/(pydicom-set\/DICOMDIR|variants))|ExplVR_LitEndNoMeta|empty_charset|dicm_in_data|priv_SQ|chrSQEncoding|Issue1097|report_dfl/;

describe.skipIf(!corpusIsThere)('inspecting every file of the corpus', () => {
  it.each(corpusFiles().map((name) => [name] as const))('%s', async (name) => {
    const before = process.memoryUsage.rss();
    const { summary, image, problems } = await imaging.inspect({ path: path.join(corpusFolder, name) });
    expect(problems.map(({ code }) => code)).toEqual(expectedProblems[name] ? [expectedProblems[name]] : []);
    expect(problems.every(({ detail }) => detail.length > 10)).toBe(true);
    if (problems.length === 0) {
      expect(summary).not.toBeNull();
      expect(image === null).toBe(withoutPicture.test(name));
    }
    expect(process.memoryUsage.rss() - before).toBeLessThan(600e6);
  });
});

if (!corpusIsThere) console.log(`no corpus at ${corpusFolder}: no files to inspect`);
