import { useTranslation } from 'react-i18next';
import type { ImportFile } from '../../../../contract/imports.ts';
import type { Slot } from '../../../../contract/viewsets.ts';
import { useToothText } from '../../language/tooth-notation.ts';
import { contradicts } from './links.rules.ts';
import type { Said } from './use-hand.ts';

/** Words for files, for slots, and for what was done with them. */
export const useFileWords = () => {
  const { t } = useTranslation('import-decide');
  const toothText = useToothText();
  /** "12.dcm, teeth 14 15, 2026-03-02 10:14" */
  const fileName = (file: ImportFile): string =>
    [
      file.path || file.fileName,
      file.teeth.length > 0 && t('teeth', { teeth: toothText(file.teeth) }),
      file.acquiredAt?.slice(0, 16).replace('T', ' '),
      file.status === 'duplicate' && t('inArchiveAlready'),
    ]
      .filter(Boolean)
      .join(', ');
  /** What speaks against a file in a slot; null when nothing does. */
  const caution = (slot: Slot, file: ImportFile | null): string | null =>
    file && contradicts(slot.teeth, file.teeth)
      ? t('otherTeeth', { number: slot.order, slot: toothText(slot.teeth), file: toothText(file.teeth) })
      : null;
  /** "Slot 3, teeth 14 15, empty" */
  const slotName = (slot: Slot, file: ImportFile | null): string =>
    [
      t('slot', { number: slot.order }),
      slot.teeth.length > 0 && t('teeth', { teeth: toothText(slot.teeth) }),
      file ? fileName(file) : t('empty'),
      caution(slot, file),
    ]
      .filter(Boolean)
      .join(', ');
  const saidText = (said: Said | null): string => {
    if (!said) return '';
    if (said.what === 'held') return t('heldHint');
    if (said.what === 'given-up') return t('givenUp');
    if (said.what === 'swapped')
      return said.with === null
        ? t('putOver', { number: said.slot })
        : t('swapped', { from: said.with, to: said.slot });
    return t(said.what, { number: said.slot });
  };
  return { fileName, slotName, caution, saidText, toothText };
};
