// breaks: engines-share-no-driver
export { default as driver } from 'postgres';
