import { type ReactNode, useState } from 'react';
import classes from './lazy-details.module.css';

interface LazyDetailsProps {
  readonly title: string;
  /** Rendered only while open. */
  readonly children: ReactNode;
}

/** A fold whose content is loaded when it is opened. */
export const LazyDetails = ({ title, children }: LazyDetailsProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={classes.details} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  );
};
