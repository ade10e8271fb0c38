import { Button } from '@mantine/core';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Similarity } from '../../../viewer/index.ts';
import { Choice } from '../print/choice.tsx';
import { useNumberText } from '../viewer/viewer-texts.ts';
import classes from './blink.module.css';
import { otherSide, type Side } from './blink-points.ts';
import type { BlinkPictures } from './use-blink-pictures.ts';
import { ZoomedPicture } from './zoomed-picture.tsx';

/** Slower than the three flashes per second that can cause seizures (WCAG 2.3.1). */
const blinkMs = 700;
/** A residual above this part of the longer side says that points are wrong, or that the beam came from elsewhere. */
const largeResidual = 0.01;

const choices = ['blink', 'left', 'right', 'difference'] as const;
type BlinkChoice = (typeof choices)[number];

const startsStill = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

interface BlinkingProps {
  readonly pictures: BlinkPictures;
  readonly alignment: Similarity;
  readonly labels: Readonly<Record<Side, string>>;
  readonly onChangePoints: () => void;
}

/** The left picture laid over the right one, by turns or as their difference. */
export const Blinking = ({ pictures, alignment, labels, onChangePoints }: BlinkingProps) => {
  const { t } = useTranslation('blink');
  const numberText = useNumberText();
  const [choice, setChoice] = useState<BlinkChoice>(() => (startsStill() ? 'right' : 'blink'));
  const [turn, setTurn] = useState<Side>('right');
  useEffect(() => {
    if (choice !== 'blink') return undefined;
    const timer = setInterval(() => setTurn(otherSide), blinkMs);
    return () => clearInterval(timer);
  }, [choice]);
  const { left, right } = pictures;
  const { matrix, residual } = alignment;
  const shown = choice === 'blink' ? turn : choice;
  const shows = (side: Side) => shown === side || shown === 'difference';
  const onKey = (event: KeyboardEvent): boolean => {
    if (event.key !== ' ') return false;
    if (!event.repeat) setChoice(shown === 'difference' ? 'right' : otherSide(shown));
    return true;
  };
  const caption = shown === 'difference' ? t('choice-difference') : labels[shown];
  return (
    <>
      <div className={classes.stage}>
        <p className={classes.caption}>{caption}</p>
        <ZoomedPicture size={right} label={t('both')} describedBy="blink-residual" takesFocus onKey={onKey}>
          {() => (
            <g className={classes.both} data-shown={shown}>
              <image
                href={right.url}
                width={right.width}
                height={right.height}
                data-hidden={!shows('right') || undefined}
              />
              <image
                href={left.url}
                width={left.width}
                height={left.height}
                transform={`matrix(${matrix.a} ${matrix.b} ${matrix.c} ${matrix.d} ${matrix.tx} ${matrix.ty})`}
                data-hidden={!shows('left') || undefined}
              />
            </g>
          )}
        </ZoomedPicture>
      </div>
      <div className={classes.foot}>
        <div className={classes.text}>
          <p id="blink-residual" role="status">
            {t('residual', { pixels: numberText(residual, 1) })}{' '}
            {residual > largeResidual * Math.max(right.width, right.height) && <strong>{t('residualLarge')}</strong>}
          </p>
          <p>{t('note')}</p>
        </div>
        <Choice
          label={t('shown')}
          value={choice}
          options={choices.map((value) => ({ value, label: t(`choice-${value}`) }))}
          disabled={false}
          description={t('space')}
          onChange={setChoice}
        />
        <Button variant="default" onClick={onChangePoints}>
          {t('changePoints')}
        </Button>
      </div>
    </>
  );
};
