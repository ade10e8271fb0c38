import { expect, it } from 'vitest';
import { createTranslation, loadAppTexts, setLanguage } from '../../src/views/language/translation.ts';

it('loads the app texts with the app, and then those of every chosen language', async () => {
  const translation = await createTranslation('sv');
  expect(translation.t('shell:loading')).not.toBe('loading');
  await setLanguage(translation, 'da');
  expect([translation.hasResourceBundle('sv', 'viewer'), translation.hasResourceBundle('da', 'viewer')]).toEqual([
    false,
    false,
  ]);
  await loadAppTexts(translation);
  expect(translation.hasResourceBundle('da', 'viewer')).toBe(true);
  await setLanguage(translation, 'no');
  expect(translation.hasResourceBundle('no', 'viewer')).toBe(true);
  expect(document.documentElement.lang).toBe('nb');
});
