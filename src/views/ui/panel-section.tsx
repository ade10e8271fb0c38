import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs';
import type { ReactNode } from 'react';
import { useId } from 'react';
import classes from './panel-section.module.css';

interface PanelSectionProps {
  /** Finds the section in its panel. */
  readonly id: string;
  readonly title: string;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  /** At the right end of the header, such as a reset button. */
  readonly end?: ReactNode;
  readonly children: ReactNode;
}

/** A collapsible section of a panel. */
export const PanelSection = ({ id: name, title, open, onOpen, end, children }: PanelSectionProps) => {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={`${id}-head`} data-section={name}>
      <div className={classes.head}>
        <h3 className={classes.title}>
          <button
            id={`${id}-head`}
            type="button"
            className={classes.toggle}
            aria-expanded={open}
            aria-controls={id}
            onClick={() => onOpen(!open)}
          >
            <IconChevronDown />
            {title}
          </button>
        </h3>
        {open && end}
      </div>
      <div id={id} className={classes.body} hidden={!open}>
        {open && children}
      </div>
    </section>
  );
};
