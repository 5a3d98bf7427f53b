// breaks: json-is-pure
import '@holdfast/contract';
