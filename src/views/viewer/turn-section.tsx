import { useTranslation } from 'react-i18next';
import { SliderRow } from '../parts/slider-row.tsx';
import { signedAngle, wholeTurn } from './angles.ts';
import { useNumberText } from './number-text.ts';
import type { Draft } from './use-draft.ts';

/** The free angle, in tenths of a degree: an arrow key is a tenth, with Shift a whole degree. */
export const TurnSection = ({ draft, plainRotation }: { draft: Draft; plainRotation: number }) => {
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
      onLive={(degrees) => live({ rotation: wholeTurn(degrees) })}
      onSettle={settle}
      onReset={display.rotation === plainRotation ? null : () => change({ rotation: plainRotation })}
    />
  );
};
