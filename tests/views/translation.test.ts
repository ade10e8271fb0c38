import { expect, it } from 'vitest';
import {
  createTranslation,
  loadAdministrationTexts,
  loadAppTexts,
  loadAuthTexts,
  setLanguage,
} from '../../src/views/language/translation.ts';

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

it('loads the texts of the administration when a part of it is opened', async () => {
  const translation = await createTranslation('sv');
  await loadAppTexts(translation);
  expect(translation.hasResourceBundle('sv', 'users')).toBe(false);
  await loadAdministrationTexts(translation);
  await setLanguage(translation, 'da');
  expect([translation.hasResourceBundle('sv', 'users'), translation.hasResourceBundle('da', 'users')]).toEqual([
    true,
    true,
  ]);
});

it.each(['before', 'after'])(
  'shows texts of a page that is opened just %s another language is chosen',
  async (order) => {
    const translation = await createTranslation('sv');
    const opening = () => loadAuthTexts(translation);
    // As `useTranslation` returns it.
    const choosing = () => setLanguage(Object.create(translation), 'en');
    await Promise.all(order === 'before' ? [opening(), choosing()] : [choosing(), opening()]);
    expect(translation.language).toBe('en');
    expect(translation.hasResourceBundle('en', 'interaction')).toBe(true);
  },
);
