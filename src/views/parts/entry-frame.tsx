import { type ReactNode, useEffect, useRef } from 'react';
import classes from './entry-frame.module.css';
import { PageTitle } from './page-title.tsx';
import { ProductMark } from './product-mark.tsx';

interface EntryFrameProps {
  readonly tagline: string;
  readonly title: string;
  readonly lead?: ReactNode;
  /** Address of a very dark radiograph for the other half of wide screens. */
  readonly picture: string;
  /** Which step of the page this is: with a new one the focus begins at its heading, or at the field that asks for it. */
  readonly step?: string;
  readonly foot: ReactNode;
  readonly children: ReactNode;
}

/** A page before anyone is signed in: one quiet column, a radiograph beside it where there is room. */
export const EntryFrame = ({ tagline, title, lead, picture, step = '', foot, children }: EntryFrameProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const page = heading.current?.closest('main');
    if (!page?.contains(document.activeElement)) heading.current?.focus();
  }, [step]);
  return (
    <div className={classes.page}>
      <PageTitle>{title}</PageTitle>
      <main className={classes.column}>
        <div className={classes.content}>
          <div className={classes.brand}>
            <ProductMark size={40} />
            <div>
              <p className={classes.name}>Dentarium</p>
              <p className={classes.tagline}>{tagline}</p>
            </div>
          </div>
          <div>
            <h1 className={classes.title} ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {lead && <p className={classes.lead}>{lead}</p>}
          </div>
          {children}
        </div>
        {foot}
      </main>
      <div className={classes.picture} aria-hidden="true">
        <img src={picture} alt="" />
      </div>
    </div>
  );
};
