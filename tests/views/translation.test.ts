import { expect, it } from 'vitest';
import { createTranslation, speak, speakInRooms } from '../../src/views/language/translation.ts';

it('loads the words of the rooms with the rooms, and then those of every language that is chosen', async () => {
  const translation = await createTranslation('sv');
  expect(translation.t('shell:loading')).not.toBe('loading');
  await speak(translation, 'da');
  expect([translation.hasResourceBundle('sv', 'viewer'), translation.hasResourceBundle('da', 'viewer')]).toEqual([
    false,
    false,
  ]);
  await speakInRooms(translation);
  expect(translation.hasResourceBundle('da', 'viewer')).toBe(true);
  await speak(translation, 'no');
  expect(translation.hasResourceBundle('no', 'viewer')).toBe(true);
  expect(document.documentElement.lang).toBe('nb');
});
