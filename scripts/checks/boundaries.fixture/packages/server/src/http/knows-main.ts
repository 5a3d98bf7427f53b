// breaks: nobody-imports-the-top
export { serve } from '../main.ts';
