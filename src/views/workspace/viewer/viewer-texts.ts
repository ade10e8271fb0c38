import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { StageTexts } from '../../../viewer/index.ts';
import type { Preset } from './grey-values.ts';

/** Formats numbers for the current language with at most `digits` decimals. */
export const useNumberText = () => {
  const { i18n } = useTranslation();
  return (value: number, digits = 0): string =>
    new Intl.NumberFormat(i18n.language, { maximumFractionDigits: digits, useGrouping: false }).format(
      // Avoids "-0".
      Math.round(value * 10 ** digits) === 0 ? 0 : value,
    );
};

/** Formats pixel values with as many decimals as the range needs. */
export const useValueText = (range: { readonly low: number; readonly high: number }) => {
  const numberText = useNumberText();
  const span = Math.max(range.high - range.low, 1e-6);
  const digits = span >= 64 ? 0 : Math.min(6, Math.ceil(2 - Math.log10(span)));
  return (value: number): string => numberText(value, digits);
};

/** Returns the name of a preset: its explanation in the file, with its number where others of the same list have that name too; or one with its number. */
export const usePresetName = () => {
  const { t } = useTranslation('viewer');
  const nameOf = ({ from, explanation, number }: Preset): string => {
    if (from === 'whole') return t('presetWhole');
    if (from === 'auto') return t('presetAuto');
    return explanation || t(from === 'lut' ? 'presetLut' : number === 1 ? 'presetFile' : 'presetWindow', { number });
  };
  return (preset: Preset, all: readonly Preset[]): string => {
    const name = nameOf(preset);
    const isShared = all.some((other) => other.id !== preset.id && nameOf(other) === name);
    return isShared && preset.number > 0 ? `${name} (${all.indexOf(preset) + 1})` : name;
  };
};

/** "2026-11-26 10:49" in every language, as other dates of the page, in the time zone of the user. */
const markTime = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'short' });

/** Returns author and time of a mark as one text. */
export const authorText = ({ name, at }: { readonly name: string; readonly at: string }): string =>
  [name, markTime.format(new Date(at))].filter(Boolean).join(', ');

/** Returns the labels that the stage draws at marks. */
export const useStageLabels = (): StageTexts => {
  const { t } = useTranslation('viewer');
  return useMemo(
    () => ({
      mm: t('unitMm'),
      px: t('unitPx'),
      calibrated: t('honesty-calibrated'),
      atDetector: t('honesty-detector'),
      onFilm: t('honesty-film'),
      stated: t('honesty-stated'),
      estimated: t('honesty-estimated'),
      notCalibrated: t('honesty-none'),
      inRegion: t('honesty-region'),
      outsideRegion: t('honesty-outside'),
      kinds: {
        length: t('tool-length'),
        angle: t('tool-angle'),
        calibrate: t('tool-calibrate'),
        arrow: t('tool-arrow'),
        text: t('tool-text'),
        rectangle: t('tool-rectangle'),
        ellipse: t('tool-ellipse'),
        freehand: t('tool-freehand'),
        polyline: t('tool-polyline'),
        area: t('tool-area'),
        lineAngle: t('tool-lineAngle'),
        ratio: t('tool-ratio'),
        profile: t('tool-profile'),
      },
      ratioPoints: [t('ratio-junction'), t('ratio-bone'), t('ratio-apex')],
      marks: t('group-marks'),
      textField: t('textField'),
    }),
    [t],
  );
};
