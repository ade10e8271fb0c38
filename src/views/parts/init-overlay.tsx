import classes from './init-overlay.module.css';
import { ProductMark } from './product-mark.tsx';

/** Covers the page until the product is ready to be used. */
export const InitOverlay = ({ text }: { text: string }) => (
  <div className={classes.overlay} role="status">
    <div className={classes.mark}>
      <ProductMark size={56} />
    </div>
    <p>{text}</p>
  </div>
);
