import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './blink.module.css';
import {
  type BlinkPoints,
  nextSide,
  noPoints,
  pointCount,
  type Side,
  sides,
  withoutLast,
  withPoint,
} from './blink-points.ts';
import { PointPicture } from './point-picture.tsx';
import type { BlinkPictures } from './use-blink-pictures.ts';

interface SetPointsProps {
  readonly pictures: BlinkPictures;
  readonly labels: Readonly<Record<Side, string>>;
  readonly points: BlinkPoints;
  /** All points are set, but too close together. */
  readonly isTooClose: boolean;
  readonly onChange: (points: BlinkPoints) => void;
  /** Lays the images over each other; null until it is possible. */
  readonly onBlink: (() => void) | null;
}

/** Both pictures side by side, in which the user sets the same four spots. */
export const SetPoints = ({ pictures, labels, points, isTooClose, onChange, onBlink }: SetPointsProps) => {
  const { t } = useTranslation('blink');
  const next = nextSide(points);
  const instruction = next
    ? t(`setIn-${next}`, { number: points[next].length + 1, count: pointCount })
    : t(isTooClose ? 'tooClose' : 'allSet');
  const isEmpty = points.left.length === 0;
  return (
    <>
      <div className={classes.pair}>
        {sides.map((side) => (
          <div key={side} className={classes.stage} data-next={next === side || undefined}>
            <p className={classes.caption}>{labels[side]}</p>
            <PointPicture
              picture={pictures[side]}
              label={labels[side]}
              describedBy="blink-instruction"
              points={points[side]}
              isNext={next === side}
              onPoint={(point) => onChange(withPoint(points, side, point))}
            />
          </div>
        ))}
      </div>
      <div className={classes.foot}>
        <div className={classes.text}>
          <p id="blink-instruction" role="status">
            {instruction}
          </p>
          <p>{t('explain')}</p>
          <p>{t('keys')}</p>
        </div>
        <div className={classes.buttons}>
          <Button variant="default" disabled={isEmpty} onClick={() => onChange(withoutLast(points))}>
            {t('undo')}
          </Button>
          <Button variant="default" disabled={isEmpty} onClick={() => onChange(noPoints)}>
            {t('restart')}
          </Button>
          {onBlink && <Button onClick={onBlink}>{t('choice-blink')}</Button>}
        </div>
      </div>
    </>
  );
};
