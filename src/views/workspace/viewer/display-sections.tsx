import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { noiseKinds, palettes } from '../../../../contract/displays.ts';
import { SliderRow } from '../../ui/slider-row.tsx';
import classes from './panel.module.css';
import type { Draft } from './use-display-draft.ts';
import { useNumberText } from './viewer-texts.ts';

/** Noise filter, sharpness and equalisation. */
export const FiltersSection = ({ draft }: { draft: Draft }) => {
  const { t } = useTranslation('viewer');
  const numberText = useNumberText();
  const { display, live, settle, change } = draft;
  const { noise } = display;
  const percent = (part: number) => t('percent', { percent: numberText(part * 100) });
  const reset = t('resetThis');
  return (
    <>
      <span className={classes.label} id="noise-kind">
        {t('noise')}
      </span>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-labelledby="noise-kind"
        value={noise.kind}
        onChange={(value) => {
          const kind = noiseKinds.find((one) => one === value) ?? 'none';
          change({ noise: { kind, strength: kind === 'none' ? 0 : noise.strength || 0.5 } });
        }}
        data={noiseKinds.map((kind) => ({ value: kind, label: t(`noise-${kind}`) }))}
      />
      {noise.kind !== 'none' && (
        <SliderRow
          label={t('noiseStrength')}
          text={percent(noise.strength)}
          value={noise.strength}
          min={0.05}
          max={1}
          step={0.05}
          resetLabel={reset}
          onLive={(strength) => live({ noise: { ...noise, strength } })}
          onSettle={settle}
          onReset={() => change({ noise: { kind: 'none', strength: 0 } })}
        />
      )}
      <SliderRow
        label={t(display.sharpness < 0 ? 'smoothing' : 'sharpness')}
        text={percent(Math.abs(display.sharpness))}
        value={display.sharpness}
        min={-1}
        max={1}
        step={0.05}
        origin={0}
        resetLabel={reset}
        onLive={(sharpness) => live({ sharpness: Math.abs(sharpness) < 0.025 ? 0 : sharpness })}
        onSettle={settle}
        onReset={display.sharpness === 0 ? null : () => change({ sharpness: 0 })}
      />
      <SliderRow
        label={t('equalisation')}
        text={percent(display.equalisation)}
        value={display.equalisation}
        min={0}
        max={1}
        step={0.05}
        resetLabel={reset}
        onLive={(equalisation) => live({ equalisation })}
        onSettle={settle}
        onReset={display.equalisation === 0 ? null : () => change({ equalisation: 0 })}
      />
    </>
  );
};

/** False-colour palettes, each shown as its scale. */
export const PaletteSection = ({ draft }: { draft: Draft }) => {
  const { t } = useTranslation('viewer');
  const { display, change } = draft;
  return (
    <div className={classes.swatches} role="radiogroup" aria-label={t('palette')}>
      {palettes.map((palette) => (
        <label key={palette} className={classes.swatch}>
          <input
            type="radio"
            name="palette"
            value={palette}
            checked={display.palette === palette}
            onChange={() => change({ palette })}
          />
          <span className={classes.scale} data-palette={palette} aria-hidden="true" />
          <span>{t(`palette-${palette}`)}</span>
        </label>
      ))}
    </div>
  );
};

/** Normalizes an angle to tenths of a degree in [0, 360). */
const normalizeAngle = (degrees: number): number => (((Math.round(degrees * 10) % 3600) + 3600) % 3600) / 10;

/** Returns the angle in (-180, 180]. */
const signedAngle = (rotation: number): number => (rotation > 180 ? rotation - 360 : rotation);

/** Free rotation in tenths of a degree: arrow keys 0.1°, with Shift 1°. */
export const RotationSection = ({ draft, plainRotation }: { draft: Draft; plainRotation: number }) => {
  const { t } = useTranslation('viewer');
  const numberText = useNumberText();
  const { display, live, settle, change } = draft;
  const angle = signedAngle(display.rotation);
  return (
    <SliderRow
      label={t('freeAngle')}
      text={`${numberText(angle, 1)}°`}
      value={angle}
      min={-180}
      max={180}
      step={0.1}
      origin={0}
      resetLabel={t('resetThis')}
      onLive={(degrees) => live({ rotation: normalizeAngle(degrees) })}
      onSettle={settle}
      onReset={display.rotation === plainRotation ? null : () => change({ rotation: plainRotation })}
    />
  );
};
