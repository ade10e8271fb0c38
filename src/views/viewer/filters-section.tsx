import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { noiseKinds } from '../../../contract/displays.ts';
import { SliderRow } from '../parts/slider-row.tsx';
import { useNumberText } from './number-text.ts';
import classes from './panel.module.css';
import type { Draft } from './use-draft.ts';

/** The noise filter, sharpness and equalisation, each with its strength. */
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
