import { conformancePdf } from '../../tools/conformance/conformance-pdf.ts';
import { expect, test } from '../test.ts';

test('the DICOM conformance statement becomes a PDF of several pages', async ({ browser }) => {
  const pdf = (await conformancePdf(browser)).toString('latin1');
  expect(pdf.slice(0, 5)).toBe('%PDF-');
  expect(pdf.match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(5);
});
