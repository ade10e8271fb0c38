import { chartRows, permanentRows } from '../../../../contract/teeth.ts';
import classes from './tooth-map.module.css';

/** Teeth (ISO 3950) marked in a small chart, facing the patient: the patient's right is on the left. For the eyes only. */
export const ToothMap = ({ teeth }: { teeth: readonly number[] }) => (
  <span className={classes.chart} aria-hidden="true">
    {(teeth.some((tooth) => tooth > 50) ? chartRows : permanentRows).map((numbers) => (
      <span key={numbers[0]} className={classes.row}>
        {numbers.map((tooth) => (
          <span key={tooth} className={classes.tooth} data-shown={teeth.includes(tooth) || undefined} />
        ))}
      </span>
    ))}
  </span>
);
