import type { ComponentProps } from 'react';
import classes from './entry-button.module.css';

/** What a link wears that looks like the one button of a page. */
export const entryButtonClass = classes.button;

interface EntryButtonProps extends ComponentProps<'button'> {
  /** At work: it keeps its focus and its size, and does nothing when pressed again. */
  readonly busy?: boolean;
  readonly quiet?: boolean;
}

/** The button of an entry page, as wide as its column. It is light: nothing of the library of components comes with it. */
export const EntryButton = ({ busy = false, quiet = false, onClick, children, ...rest }: EntryButtonProps) => (
  <button
    type="button"
    {...rest}
    className={classes.button}
    data-quiet={quiet || undefined}
    aria-busy={busy || undefined}
    aria-disabled={busy || undefined}
    onClick={(event) => {
      if (busy) event.preventDefault();
      else onClick?.(event);
    }}
  >
    <span className={classes.words}>{children}</span>
  </button>
);
