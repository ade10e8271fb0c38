import { useTranslation } from 'react-i18next';
import type { Histogram, LoadedImage } from '../../../viewer/index.ts';
import { SliderRow } from '../../ui/slider-row.tsx';
import { isPreset, minWidth, presetsOf, toneOf, windowOf, windowOfTone } from './grey-values.ts';
import { HistogramView } from './histogram-view.tsx';
import classes from './panel.module.css';
import type { Draft } from './use-display-draft.ts';
import { useNumberText, usePresetName, useValueText } from './viewer-texts.ts';

interface GreyValuesSectionProps {
  /** As its presentation state shows it. */
  readonly image: LoadedImage;
  /** As it is in the file. */
  readonly stored: LoadedImage;
  readonly histogram: Histogram | null;
  readonly draft: Draft;
}

/** The slider shows the logarithm of gamma, so that its middle is 1. */
const gammaEnd = 2;

/** Brightness and contrast: histogram with window, sliders, and presets of the file. */
export const GreyValuesSection = ({ image, stored, histogram, draft }: GreyValuesSectionProps) => {
  const { t } = useTranslation('viewer');
  const numberText = useNumberText();
  const valueText = useValueText(image.range);
  const presetName = usePresetName();
  const { display, live, settle, change } = draft;
  const window = windowOf(display, image);
  const tone = toneOf(display, image);
  const reset = t('resetThis');
  const now = display.voi ?? image.original.voi;
  const presets = presetsOf(stored, histogram);
  return (
    <>
      <HistogramView
        histogram={histogram}
        range={image.range}
        window={window}
        minWidth={minWidth(window, image)}
        reversed={image.shownInverse !== display.inverted}
        valueText={valueText}
        onLive={(voi) => live({ voi })}
        onSettle={settle}
      />
      <SliderRow
        label={t('brightness')}
        text={numberText(tone.brightness)}
        value={tone.brightness}
        min={-100}
        max={100}
        step={1}
        origin={0}
        resetLabel={reset}
        onLive={(brightness) => live({ voi: windowOfTone({ ...tone, brightness }, display, image) })}
        onSettle={settle}
        onReset={display.voi === null ? null : () => change({ voi: null })}
      />
      <SliderRow
        label={t('contrast')}
        text={numberText(tone.contrast)}
        value={tone.contrast}
        min={-100}
        max={100}
        step={1}
        origin={0}
        resetLabel={reset}
        onLive={(contrast) => live({ voi: windowOfTone({ ...tone, contrast }, display, image) })}
        onSettle={settle}
        onReset={display.voi === null ? null : () => change({ voi: null })}
      />
      <SliderRow
        label={t('gamma')}
        text={numberText(display.gamma, 2)}
        value={Math.log2(display.gamma)}
        min={-gammaEnd}
        max={gammaEnd}
        step={0.02}
        origin={0}
        resetLabel={reset}
        onLive={(power) => live({ gamma: 2 ** power })}
        onSettle={settle}
        onReset={display.gamma === 1 ? null : () => change({ gamma: 1 })}
      />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div className={classes.chips} role="group" aria-label={t('presets')}>
        {image !== stored && (
          <button
            type="button"
            className={classes.chip}
            aria-pressed={display.voi === null}
            onClick={() => change({ voi: null })}
          >
            {t('presetState')}
          </button>
        )}
        {presets.map((preset) => (
          <button
            key={preset.id}
            type="button"
            className={classes.chip}
            aria-pressed={!(image !== stored && display.voi === null) && isPreset(preset, now)}
            title={
              preset.voi.kind === 'window'
                ? t('windowValue', { center: valueText(preset.voi.centre), width: valueText(preset.voi.width) })
                : undefined
            }
            onClick={() => change({ voi: preset.id === 'file-0' && image === stored ? null : preset.voi })}
          >
            {presetName(preset, presets)}
          </button>
        ))}
        <button
          type="button"
          className={classes.chip}
          aria-pressed={display.inverted}
          onClick={() => change({ inverted: !display.inverted })}
        >
          {t('tool-invert')}
        </button>
      </div>
    </>
  );
};
