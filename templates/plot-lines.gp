# Draws {{name}}.csv (series, x, y; a block for each line); run it again after a change: gnuplot {{name}}.gp
set datafile separator ','
set border 3 lw 0.7
set tics nomirror scale 0.5
set grid lw 0.4 lc rgb '#9aa0a6'
set xlabel '{{x_label}}'
set ylabel '{{y_label}}'
set yrange [0:*]
{{#y_max}}
set yrange [0:{{y_max}}]
{{/y_max}}
set key outside top left horizontal Left reverse samplen 1.6 width 1 height 0.4
set lmargin 9
do for [form in 'svg pdf'] {
    if (form eq 'svg') {
        set terminal svg size 980,400 dynamic noenhanced font 'sans-serif,13'
    } else {
        set terminal pdfcairo noenhanced size 17cm,7cm font 'sans-serif,9'
    }
    set output '{{name}}.'.form
    plot \
{{#series}}
        '{{name}}.csv' index {{index}} using 2:3 with linespoints pt 7 ps 0.45 lw 2 lc rgb '{{colour}}' title '{{label}}'{{#more}}, \{{/more}}
{{/series}}
{{#marks}}
        '{{name}}-marks.csv' using 1:2 with points pt 13 ps 1.1 lw 1 lc rgb 'black' title '{{marks}}'
{{/marks}}
    unset output
}
