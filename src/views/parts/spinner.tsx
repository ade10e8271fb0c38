import classes from './spinner.module.css';

/** Something is on its way. `text` is said to who cannot see it. */
export const Spinner = ({ text }: { text: string }) => (
  <div className={classes.place} role="status" aria-label={text}>
    <div className={classes.ring} />
  </div>
);
