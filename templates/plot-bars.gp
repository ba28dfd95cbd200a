# Draws {{name}}.csv; run it again after a change: gnuplot {{name}}.gp
set datafile separator ','
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.95 noborder
set boxwidth 0.92
set border 1 lw 0.7
set tics nomirror scale 0
set grid ytics lw 0.4 lc rgb '#9aa0a6'
set ylabel '{{y_label}}'
set xrange {{x_range}}
set yrange {{y_range}}
{{#has_negative}}
set xzeroaxis lt -1 lw 0.7
{{/has_negative}}
{{#y_max}}
set yrange [0:{{y_max}}]
{{/y_max}}
{{#rotate}}
set xtics rotate by -40
{{/rotate}}
{{#mean_from}}
set arrow from first {{mean_from}}, graph 0 to first {{mean_from}}, graph 1 nohead lw 0.6 lc rgb '#9aa0a6' back
{{/mean_from}}
{{#baseline}}
set arrow from graph 0, first {{baseline}} to graph 1, first {{baseline}} nohead lw 0.9 dt 2 lc rgb '#9aa0a6' back
{{/baseline}}
set key outside top left horizontal Left reverse samplen 0.8 width 1 height 0.4
set lmargin 9
do for [form in 'svg pdf'] {
    if (form eq 'svg') {
        set terminal svg size 980,340 dynamic noenhanced font 'sans-serif,13'
    } else {
        set terminal pdfcairo noenhanced size 17cm,6cm font 'sans-serif,9'
    }
    set output '{{name}}.'.form
    plot \
{{#series}}
        '{{name}}.csv' using {{column}}:xtic(1) every ::1 title '{{label}}' lc rgb '{{colour}}'{{#more}}, \{{/more}}
{{/series}}
{{#marks}}
        '{{name}}-marks.csv' using 1:2 with points pt 13 ps 1.1 lw 1 lc rgb 'black' title '{{marks}}'
{{/marks}}
    unset output
}
